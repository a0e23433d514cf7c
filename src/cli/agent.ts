import { text as readAll } from "node:stream/consumers";
import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { type AgentFlags, addAgentOptions, openModel } from "./agent/open-agent.ts";

/** `spillway agent` */
export function createAgentCommand(): Command {
  return addAgentOptions(new Command("agent"))
    .description("Run an agent on a prompt. Every tool result in its session is bounded.")
    .argument("<prompt>", 'what to do; "-" reads it from standard input')
    .addHelpText(
      "after",
      `
Reading is allowed, everything else is asked on a terminal and otherwise denied. Keys: $OPENAI_API_KEY,
$ANTHROPIC_API_KEY, $OPENAI_COMPATIBLE_API_KEY. Exit codes: 0 answered, 1 not, 130 interrupted.

Examples:
  spillway agent "why do the tests fail?" --model anthropic/NAME --allow 'bash:npm test'
  spillway agent "fix the typo in README" --model openai-compatible/NAME --base-url http://127.0.0.1:8080/v1 --yes`,
    )
    .action(async (given: string, flags: AgentFlags) => {
      const prompt = given === "-" ? await readAll(process.stdin) : given;
      if (prompt.trim() === "") throw invalidArgument("The prompt is empty.");
      const { runTurn } = await import("./agent/run-turn.ts");
      await runTurn(flags, await openModel(flags), prompt);
    });
}
