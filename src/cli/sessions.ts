import { Command } from "commander";
import type { SessionSummary } from "../agent/list-sessions.ts";
import { SpillwayError } from "../errors.ts";
import { type AgentFlags, addAgentOptions, openModel } from "./agent/open-agent.ts";
import { writeOut } from "./emit.ts";
import { addRootOptions, type RootOptions, resolveRoot } from "./options.ts";

interface SessionFlags extends RootOptions {
  readonly json?: boolean;
}

const REFERENCE = 'id, its beginning, or "latest"';

/** `spillway sessions` */
export function createSessionsCommand(): Command {
  const command = addRootOptions(new Command("sessions"))
    .description("List, show and resume the sessions of the agent.")
    .argument("[command]")
    .usage("list|show|resume [options]")
    .action((name?: string) => {
      if (name === undefined) return command.outputHelp();
      const known = command.commands.map((each) => each.name()).join(", ");
      throw new SpillwayError("INVALID_ARGUMENT", `unknown command sessions ${JSON.stringify(name)}; known: ${known}.`);
    });
  command.addCommand(
    addRootOptions(new Command("list"))
      .description("All sessions, newest first.")
      .option("--json", "answer as JSON")
      .action((_flags: SessionFlags, own: Command) => list(own.optsWithGlobals())),
  );
  command.addCommand(
    addRootOptions(new Command("show"))
      .description("What happened in a session, what it cost and what the bounds saved.")
      .argument("<session>", REFERENCE)
      .option("--json", "answer as JSON")
      .action((reference: string, _flags: SessionFlags, own: Command) => show(reference, own.optsWithGlobals())),
  );
  command.addCommand(
    addAgentOptions(new Command("resume"))
      .description("Go on with a session: with a new prompt, or where it was interrupted.")
      .argument("<session>", REFERENCE)
      .argument("[prompt]", "what to do next")
      .action((reference: string, prompt: string | undefined, _flags: AgentFlags, own: Command) =>
        resume(reference, prompt, own.optsWithGlobals()),
      ),
  );
  return command;
}

async function list(flags: SessionFlags): Promise<void> {
  const { listSessions } = await import("../agent/list-sessions.ts");
  const sessions = listSessions(resolveRoot(flags).root);
  if (flags.json) return writeOut(`${JSON.stringify(sessions, null, 2)}\n`);
  const { renderSessionLine } = await import("./agent/render-session.ts");
  await writeOut(sessions.map((session) => `${renderSessionLine(session)}\n`).join("") || "No sessions.\n");
}

async function show(reference: string, flags: SessionFlags): Promise<void> {
  const { root } = resolveRoot(flags);
  const { readSession } = await import("../agent/session.ts");
  const { accountSession } = await import("../agent/accounting.ts");
  const session = await findSession(root, reference);
  const events = readSession(root, session.id);
  const account = accountSession(events);
  if (flags.json) return writeOut(`${JSON.stringify({ ...session, account }, null, 2)}\n`);
  const { renderSession } = await import("./agent/render-session.ts");
  await writeOut(renderSession(session, events, account));
}

async function resume(reference: string, prompt: string | undefined, flags: AgentFlags): Promise<void> {
  const { root } = resolveRoot(flags);
  const session = await findSession(root, reference);
  const { readSession } = await import("../agent/session.ts");
  const start = readSession(root, session.id)[0];
  const model = await openModel(flags, start?.type === "session.start" ? start : undefined);
  const { runTurn } = await import("./agent/run-turn.ts");
  await runTurn(flags, model, prompt, session.id);
}

async function findSession(root: string, reference: string): Promise<SessionSummary> {
  const { listSessions } = await import("../agent/list-sessions.ts");
  const sessions = listSessions(root);
  const matching =
    reference === "latest"
      ? sessions.filter((session) => session.parent === undefined).slice(0, 1)
      : sessions.filter((session) => session.id.startsWith(reference));
  const [found, second] = matching;
  if (second !== undefined && found?.id !== reference) {
    throw new SpillwayError(
      "INVALID_ARGUMENT",
      `${matching.length} sessions begin with ${reference}; give more of the id.`,
    );
  }
  if (found === undefined) throw new SpillwayError("SESSION_NOT_FOUND", `There is no session ${reference}.`);
  return found;
}
