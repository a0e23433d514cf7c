import { createInterface } from "node:readline/promises";
import pc from "picocolors";
import type { AskPermission } from "../../agent/permission-check.ts";
import { cut, printable } from "./show-turn.ts";

/**
 * Asks on the terminal; undefined when there is none. "Always" holds for this run: for the same
 * path, URL or agent, and for a command only with the same env and all its other parameters.
 */
export function createAsk(pause: () => void, signal: AbortSignal): AskPermission | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const always = new Set<string>();
  return async ({ tool, pattern, input }) => {
    const isCommand = typeof input === "object" && input !== null && "command" in input;
    const key = `${tool} ${isCommand ? JSON.stringify(input) : pattern}`;
    if (always.has(key)) return true;
    pause();
    const shown = printable(JSON.stringify(input) ?? "");
    process.stderr.write(`${pc.bold(tool)} ${cut(shown, 2_000)}\n`);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // While it waits, the terminal keeps Ctrl-C and Ctrl-D to itself.
    terminal.once("SIGINT", () => process.emit("SIGINT"));
    const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
    try {
      const answer = await Promise.race([terminal.question("Allow? [y]es, [a]lways, [N]o: ", { signal }), closed]);
      if (/^a/i.test(answer)) always.add(key);
      return /^[ya]/i.test(answer);
    } catch {
      return false;
    } finally {
      terminal.close();
    }
  };
}
