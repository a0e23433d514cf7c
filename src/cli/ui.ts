import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { relativeTo } from "../gate/render/relative-to.ts";
import { addSessionsOption, openSessions, type SessionsFlags } from "./agent/open-sessions.ts";
import { openArtifacts } from "./artifacts/open-artifacts.ts";
import { writeOut } from "./emit.ts";
import { openBrowser } from "./open-browser.ts";
import { addProjectOptions } from "./options.ts";
import { serveUntilDone } from "./serve-until-done.ts";

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
    .argument("[id]", "artifact or session to open, or to export")
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

async function run(id: string | undefined, flags: UiFlags): Promise<void> {
  const artifacts = await openArtifacts(flags);
  const { root, retentionDays, quotaBytes } = artifacts;
  const stores = artifacts.stores.map((store) => ({ store, label: relativeTo(root, store.dir) }));
  const opened = await openSessions({ ...flags, root });
  const sessions = { list: () => opened.list(), read: (session: string) => opened.store.read(session) };
  const options = { root, stores, sessions, rules: { retentionDays, quotaBytes }, writable: flags.write };
  if (flags.export !== undefined) {
    if (id === undefined)
      throw invalidArgument("--export needs the id of an artifact or session: spillway artifacts list.");
    const { Inspector } = await import("../ui/inspector.ts");
    const { exportPage } = await import("../ui/export-page.ts");
    await writeFile(flags.export, await exportPage(new Inspector(options), id), { mode: 0o600 });
    await opened.close();
    process.stderr.write(`spillway: ${flags.export} written\n`);
    return;
  }
  const port = parsePort(flags.port);
  const { startUi } = await import("../ui/start-ui.ts");
  const ui = await startUi({ ...options, port });
  const address = new URL(ui.url);
  if (id !== undefined) address.pathname = id.startsWith("ses_") ? `/sessions/${id}` : `/outputs/${id}`;
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
