import type { AgentOutcome } from "../../agent/agent.ts";
import type { LoadedModel } from "../../agent/model.ts";
import { quoteWord } from "../../gate/quote-word.ts";
import { ownCommand } from "../own-command.ts";
import { tell } from "../terminal.ts";
import { createAsk } from "./ask-on-terminal.ts";
import { type AgentFlags, openAgent } from "./open-agent.ts";
import { openSessions } from "./open-sessions.ts";
import { createJsonView, createPlainView, createTerminalView } from "./show-turn.ts";

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
