import { Command } from "commander";

/** `spillway hook HOST EVENT`: answers a host that asks what to do with a tool's result. */
export function createHookCommand(): Command {
  return new Command("hook")
    .description(
      "Answer an agent's hook: JSON on standard input, the answer on standard output. It never fails; if anything goes wrong, it says nothing.",
    )
    .argument("<host>", "the agent that calls")
    .argument("<event>", "the event, as the agent calls it")
    .action(async (hostName: string, event: string) => {
      if (process.env.SPILLWAY === "off") return;
      const { answerFromInput } = await import("./hook/answer-from-input.ts");
      await answerFromInput(hostName, event);
    });
}
