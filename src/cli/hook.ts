import path from "node:path";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { writeOut } from "./emit.ts";
import { findRoot } from "./options.ts";
import { ownCommand } from "./own-command.ts";

/** `spillway hook HOST EVENT`: answers a host that asks about a tool's result. */
export function createHookCommand(): Command {
  return new Command("hook")
    .description(
      "Answer an agent's hook: JSON on standard input, the answer on standard output. It never fails; if anything goes wrong, it says nothing.",
    )
    .argument("<host>", "the agent that calls")
    .argument("<event>", "the event, as the agent calls it")
    .action(async (hostName: string, event: string) => {
      if (process.env.SPILLWAY === "off") return;
      const { answerHook } = await import("../integrations/hosts/answer-hook.ts");
      const { findHost } = await import("../integrations/hosts/find-host.ts");
      const host = findHost(hostName);
      const input = JSON.parse(await text(process.stdin)) as unknown;
      const cwd = (input as { readonly cwd?: unknown } | null)?.cwd;
      const root = findRoot(path.resolve(typeof cwd === "string" ? cwd : process.cwd()));
      const answer = await answerHook(host, event, input, { root, command: ownCommand({}) });
      if (answer !== undefined) await writeOut(`${JSON.stringify(answer)}\n`);
    });
}
