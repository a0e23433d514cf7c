import { Command } from "commander";

/** `spillway hook HOST EVENT`: answers a host that asks what to do with a tool's result. */
export function createHookCommand(): Command {
  return new Command("hook")
    .description(
      "Answer an agent's hook: JSON on standard input, the answer on standard output. Never fails; says nothing on any trouble.",
    )
    .argument("<host>", "the agent that asks")
    .argument("<event>", "what has happened, as the agent calls it")
    .action(async (hostName: string, event: string) => {
      if (process.env.SPILLWAY === "off") return;
      const { answerFromInput } = await import("./hook/answer-from-input.ts");
      await answerFromInput(hostName, event);
    });
}
