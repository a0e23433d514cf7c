import { createInterface } from "node:readline/promises";
import pc from "picocolors";
import type { AgentOutcome } from "../../agent/agent.ts";
import type { LoadedModel } from "../../agent/model.ts";
import type { AskPermission } from "../../agent/permission-check.ts";
import { quoteWord } from "../../gate/quote-word.ts";
import { ownCommand } from "../own-command.ts";
import { tell } from "../terminal.ts";
import { type AgentFlags, openAgent } from "./open-agent.ts";
import { openSessions } from "./open-sessions.ts";
import { createJsonView, createPlainView, createTerminalView, cut, printable } from "./show-turn.ts";

/**
 * Asks on the terminal; undefined when there is none. "Always" holds for this run: for the same
 * path, URL or agent, and for a command only with the same env and all its other parameters.
 */
function createAsk(pause: () => void, signal: AbortSignal): AskPermission | undefined {
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

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs one turn on the command line. The first signal ends the turn in order, the second ends the process. */
export async function runTurn(
  flags: AgentFlags,
  model: LoadedModel,
  prompt: string | undefined,
  session?: string,
): Promise<void> {
  const abort = new AbortController();
  let signalCode: number | undefined;
  const onSignal = (name: keyof typeof SIGNALS) => {
    if (abort.signal.aborted) process.exit(SIGNALS[name]);
    signalCode = SIGNALS[name];
    abort.abort();
  };
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  for (const name of names) process.on(name, onSignal);
  const view = flags.json
    ? createJsonView()
    : process.stdout.isTTY && process.stderr.isTTY
      ? createTerminalView()
      : createPlainView();
  const sessions = await openSessions(flags);
  try {
    const ask = flags.yes ? undefined : createAsk(view.pause, abort.signal);
    const agent = await openAgent(flags, model, {
      onEvent: view.onEvent,
      onText: view.onText,
      ask,
      sessions: sessions.store,
    });
    const outcome = await agent.run(prompt, { session, signal: abort.signal });
    await view.end(outcome);
    report(outcome, signalCode, flags);
  } finally {
    view.pause();
    await sessions.close();
    for (const name of names) process.off(name, onSignal);
  }
}

function report(outcome: AgentOutcome, signalCode: number | undefined, flags: AgentFlags): void {
  const { reason, message, session, text } = outcome;
  if (reason === "done") {
    if (text.trim() === "") tell("The model ended without an answer.");
    return;
  }
  const said = (message ?? reason).replace(/[^.!?]$/, "$&.");
  tell(`${said} To continue: ${resumeLine(session, flags)}`);
  process.exitCode = signalCode ?? 1;
}

/** A line for the reader's shell; an address that a key is sent to is never taken from a session. */
function resumeLine(session: string, options: AgentFlags): string {
  const { program, flags } = ownCommand(options);
  const address = options.baseUrl === undefined ? "" : `--base-url ${quoteWord(options.baseUrl)}`;
  return [`${program} sessions resume ${session}`, flags, address].filter((part) => part !== "").join(" ");
}
