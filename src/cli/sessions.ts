import { Command } from "commander";
import type { DamagedSession, SessionSummary } from "../agent/list-sessions.ts";
import { invalidArgument, SpillwayError } from "../errors.ts";
import { formatPlural } from "../preview/omission.ts";
import { type AgentFlags, addAgentOptions, openModel } from "./agent/open-agent.ts";
import { addSessionsOption, type OpenSessions, openSessions, type SessionsFlags } from "./agent/open-sessions.ts";
import { writeJson, writeOut } from "./emit.ts";
import { addRootOptions, createGroup, resolveRoot } from "./options.ts";

interface SessionFlags extends SessionsFlags {
  readonly json?: boolean;
}

const REFERENCE = 'id, its beginning, or "latest"';

/** `spillway sessions` */
export function createSessionsCommand(): Command {
  const command = createGroup("sessions", "List, show, resume and repair the sessions of spillway agent.", [
    addSessionsOption(addRootOptions(new Command("list")))
      .description("List all sessions, newest first.")
      .option("--json", "print JSON")
      .action((_flags: SessionFlags, own: Command) => list(own.optsWithGlobals())),
    addSessionsOption(addRootOptions(new Command("show")))
      .description("Show what happened in a session, what it cost, and what bounding its results saved.")
      .argument("<session>", REFERENCE)
      .option("--json", "print JSON")
      .action((reference: string, _flags: SessionFlags, own: Command) => show(reference, own.optsWithGlobals())),
    addAgentOptions(new Command("resume"))
      .description("Continue a session, with a new prompt or where it was interrupted.")
      .argument("<session>", REFERENCE)
      .argument("[prompt]", "what to do next")
      .action((reference: string, prompt: string | undefined, _flags: AgentFlags, own: Command) =>
        resume(reference, prompt, own.optsWithGlobals()),
      ),
    addRootOptions(new Command("repair"))
      .description("Cut a damaged session off before its first bad line. What is cut is kept in a file next to it.")
      .argument("<session>", "id, or its beginning")
      .option("--json", "print JSON")
      .action((reference: string, _flags: SessionFlags, own: Command) => repair(reference, own.optsWithGlobals())),
  ]);
  return addSessionsOption(addRootOptions(command));
}

async function list(flags: SessionFlags): Promise<void> {
  const opened = await openSessions(flags);
  const sessions = await opened.list().finally(() => opened.close());
  if (flags.json) return writeJson(sessions);
  const { renderDamagedLine, renderSessionLine } = await import("./agent/render-session.ts");
  const lines = sessions.map((each) => ("damaged" in each ? renderDamagedLine(each) : renderSessionLine(each)));
  await writeOut(lines.map((line) => `${line}\n`).join("") || "No sessions.\n");
}

async function repair(reference: string, flags: SessionFlags): Promise<void> {
  const { root } = resolveRoot(flags);
  const { inspectSessions } = await import("../agent/list-sessions.ts");
  const { repairSession } = await import("../agent/repair-session.ts");
  const { id } = pickSession(inspectSessions(root), reference);
  const done = repairSession(root, id);
  if (flags.json) return writeJson({ id, ...done });
  const { damage, keptEvents, droppedBytes, droppedTo } = done;
  const kept = `${formatPlural(keptEvents, "event")} kept`;
  if (droppedTo === undefined) return writeOut(`${id} is whole: ${kept}, nothing dropped.\n`);
  const why = damage === undefined ? "the last line was torn" : `line ${damage.line} ${damage.problem}`;
  await writeOut(`${id}: ${why}; ${kept}, ${formatPlural(droppedBytes, "byte")} dropped to ${droppedTo}.\n`);
}

async function show(reference: string, flags: SessionFlags): Promise<void> {
  const { accountSession } = await import("../agent/accounting.ts");
  const sessions = await openSessions(flags);
  try {
    const session = await findSession(sessions, reference);
    const events = await sessions.store.read(session.id);
    const account = accountSession(events);
    if (flags.json) return await writeJson({ ...session, account });
    const { renderSession } = await import("./agent/render-session.ts");
    await writeOut(renderSession(session, events, account));
  } finally {
    await sessions.close();
  }
}

async function resume(reference: string, prompt: string | undefined, flags: AgentFlags): Promise<void> {
  const sessions = await openSessions(flags);
  const found = await findSession(sessions, reference)
    .then(async ({ id }) => ({ id, start: (await sessions.store.read(id))[0] }))
    .finally(() => sessions.close());
  const model = await openModel(flags, found.start?.type === "session.start" ? found.start : undefined);
  const { runTurn } = await import("./agent/run-turn.ts");
  await runTurn(flags, model, prompt, found.id);
}

async function findSession(sessions: OpenSessions, reference: string): Promise<SessionSummary> {
  const found = pickSession(await sessions.list(), reference);
  if (!("damaged" in found)) return found;
  const { damaged } = await import("../agent/read-events.ts");
  throw damaged(found.damaged);
}

export function pickSession(
  sessions: readonly (SessionSummary | DamagedSession)[],
  reference: string,
): SessionSummary | DamagedSession {
  const matching =
    reference === "latest"
      ? sessions.filter((session) => "damaged" in session || session.parent === undefined).slice(0, 1)
      : sessions.filter((session) => session.id.startsWith(reference));
  const [found, second] = matching;
  if (second !== undefined && found?.id !== reference) {
    throw invalidArgument(`${matching.length} sessions begin with ${reference}; give more of the id.`);
  }
  if (found === undefined) {
    const none = reference === "latest" && sessions.length === 0;
    throw new SpillwayError(
      "SESSION_NOT_FOUND",
      none
        ? 'There is no session yet; "spillway agent" starts one.'
        : `There is no session ${reference}. "spillway sessions list" lists them.`,
    );
  }
  return found;
}
