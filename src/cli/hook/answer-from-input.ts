import path from "node:path";
import { text } from "node:stream/consumers";
import { answerHook } from "../../integrations/hosts/answer-hook.ts";
import { findHost } from "../../integrations/hosts/find-host.ts";
import { writeOut } from "../emit.ts";
import { findRoot } from "../options.ts";
import { ownCommand } from "../own-command.ts";

/** Reads what the host says from standard input and prints the answer, if there is one. */
export async function answerFromInput(hostName: string, event: string): Promise<void> {
  const host = findHost(hostName);
  const input = JSON.parse(await text(process.stdin)) as unknown;
  const cwd = (input as { readonly cwd?: unknown } | null)?.cwd;
  const root = findRoot(path.resolve(typeof cwd === "string" ? cwd : process.cwd()));
  const answer = await answerHook(host, event, input, { root, command: ownCommand({}) });
  if (answer !== undefined) await writeOut(`${JSON.stringify(answer)}\n`);
}
