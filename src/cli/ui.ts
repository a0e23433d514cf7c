import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { plainReason } from "../artifacts/store-failure.ts";
import { invalidArgument, SpillwayError } from "../errors.ts";
import { relativeTo } from "../gate/render/hint-text.ts";
import { addSessionsOption, openSessions, type SessionsFlags } from "./agent/open-sessions.ts";
import { findArtifact, openArtifacts, REFERENCE } from "./artifacts/open-artifacts.ts";
import { writeOut } from "./emit.ts";
import { openBrowser } from "./open-browser.ts";
import { addProjectOptions } from "./options.ts";
import { serveUntilDone } from "./resolve-listen.ts";
import { pickSession } from "./sessions.ts";

interface UiFlags extends SessionsFlags {
  readonly port?: string;
  readonly write?: boolean;
  readonly export?: string;
  readonly open: boolean;
}

const EXAMPLES = `
Examples:
  spillway ui                                   open the page for this project
  spillway ui --port 7777 --no-open             only print its address
  spillway ui --export report.html ID           one output as a file to attach to an issue, with secrets removed`;

/** `spillway ui`: a local page that shows what the model saw, what was left out and why. */
export function createUiCommand(): Command {
  return addSessionsOption(addProjectOptions(new Command("ui")))
    .description(
      "Open a local page that shows, for each output, what the model saw, what was left out, what it cost, and where the rest is.",
    )
    .argument("[id]", `artifact or session to open, or to export: ${REFERENCE}`)
    .option("--port <n>", "port on 127.0.0.1 (default: any free one)")
    .option("--no-open", "only print the address, do not open a browser")
    .option("--write", "let the page remove expired artifacts (default: read only)")
    .option(
      "--export <file>",
      "write one output or session to an HTML file, with secrets removed (default: serve the page)",
    )
    .addHelpText("after", EXAMPLES)
    .action((id: string | undefined, flags: UiFlags) => run(id, flags));
}

async function run(reference: string | undefined, flags: UiFlags): Promise<void> {
  const artifacts = await openArtifacts(flags);
  const { root, retentionDays, quotaBytes } = artifacts;
  const stores = artifacts.stores.map((store) => ({ store, label: relativeTo(root, store.dir) }));
  const opened = await openSessions({ ...flags, root });
  const sessions = { list: () => opened.list(), read: (session: string) => opened.store.read(session) };
  const resolveReference = async (given: string) => {
    if (!given.startsWith("ses_")) return { page: "outputs", id: (await findArtifact(artifacts, given)).artifact.id };
    return { page: "sessions", id: pickSession(await opened.list(), given).id };
  };
  const options = { root, stores, sessions, rules: { retentionDays, quotaBytes }, writable: flags.write };
  const found = reference === undefined ? undefined : await resolveReference(reference);
  if (flags.export !== undefined) {
    if (found === undefined)
      throw invalidArgument(
        '--export needs an artifact or session: "latest", or an id. "spillway artifacts list" and "spillway sessions list" list them.',
      );
    const { Inspector } = await import("../ui/inspector.ts");
    const { exportPage } = await import("../ui/export-page.ts");
    await writeFile(flags.export, await exportPage(new Inspector(options), found.id), { mode: 0o600 }).catch(
      (error: unknown) => {
        throw new SpillwayError("STORE_FAILED", `cannot write ${flags.export}: ${plainReason(error)}.`, {
          cause: error,
        });
      },
    );
    await opened.close();
    process.stderr.write(`spillway: ${flags.export} written\n`);
    return;
  }
  const port = parsePort(flags.port);
  const { startUi } = await import("../ui/start-ui.ts");
  const ui = await startUi({ ...options, port });
  const address = new URL(ui.url);
  if (found !== undefined) address.pathname = `/${found.page}/${found.id}`;
  await writeOut(`${address.href}\n`);
  process.stderr.write("spillway: press Ctrl-C to stop\n");
  if (flags.open && process.stdout.isTTY) openBrowser(address.href);
  await serveUntilDone(ui).finally(() => opened.close());
}

function parsePort(text: string | undefined): number {
  const port = text === undefined ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw invalidArgument(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}
