import { join } from "node:path";
import { invalidArgument, SpillwayError } from "../../errors.ts";
import { findHost } from "../../integrations/hosts/find-host.ts";
import type { McpPlace, ServerEntry } from "../../integrations/hosts/host.ts";
import { createProxyCommand } from "../proxy.ts";
import { confirm, say } from "./confirm.ts";
import { applyEdit, replaceFile, undoEdit, whyReadOnly } from "./edit-files.ts";
import { removeJsonEntry, setJsonEntry } from "./edit-jsonc.ts";
import { removeTomlEntry, setTomlEntry } from "./edit-toml.ts";
import { inFile, readIfThere, withComments } from "./plan.ts";

export interface HostEntryRequest {
  readonly hostName: string;
  /** A server to put the proxy in front of; empty for Spillway's own tools. */
  readonly server: readonly string[];
  /** Options for the proxy in front of it. */
  readonly proxyFlags?: readonly string[] | undefined;
  readonly root: string;
  readonly name?: string | undefined;
  readonly user?: boolean | undefined;
  readonly remove?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Adds, replaces or removes the entry, after asking, and says what it did. */
export async function writeHostEntry(request: HostEntryRequest): Promise<void> {
  const { title, mcp: host } = findHost(request.hostName);
  if (host === undefined) throw invalidArgument(`${title} has no MCP servers.`);
  const name = checkName(request.name ?? "spillway");
  const project = request.user !== true && host.projectFile !== undefined;
  const file = withComments(project ? join(request.root, host.projectFile!) : host.userFile());
  const entry = host.render(createEntry(request, project));
  const before = readIfThere(file);
  const after = inFile(file, () =>
    request.remove ? takeOut(host, before ?? "", name) : putIn(host, before ?? "", name, entry),
  );
  if (after === (before ?? "")) {
    say(
      request.remove
        ? `${file} has no entry ${name}; nothing to do.`
        : `${file} has this entry already; nothing to do.`,
    );
    return;
  }
  const what = request.remove
    ? `Remove the entry ${name} from ${file} (${title})`
    : `${before === undefined ? "Create" : "Add to"} ${file} (${title}):\n${preview(host, name, entry)}\nGo on`;
  const readOnly = whyReadOnly(file);
  if (readOnly !== undefined)
    throw new SpillwayError(
      "STORE_FAILED",
      `${file} ${readOnly}. Nothing was changed. ${request.remove ? `Remove the entry ${name} by hand.` : `Add by hand:\n${preview(host, name, entry)}`}`,
    );
  if (request.yes !== true && !(await confirm(what))) {
    say("Nothing was changed.");
    return;
  }
  if (!request.remove) await applyEdit(file, name, after);
  else if (!(await undoEdit(file, name))) await replaceFile(file, after);
  const undo = `spillway init ${request.hostName}${request.name === undefined ? "" : ` --name ${name}`}${request.user ? " --user" : ""} --remove`;
  say(
    request.remove
      ? `Removed ${name} from ${file}.`
      : `Wrote ${name} to ${file}. Restart ${title} to see it. To undo: ${undo}`,
  );
}

function createEntry({ server, root, proxyFlags = [], name }: HostEntryRequest, project: boolean): ServerEntry {
  // The user's file serves every folder, so the root has to be named.
  const where = project ? [] : ["--root", root];
  const rest =
    server.length === 0
      ? ["mcp", ...where]
      : ["proxy", ...where, ...(name === undefined ? [] : ["--name", name]), ...proxyFlags, "--", ...server];
  return { command: "npx", args: ["-y", "spillway", ...rest] };
}

function putIn(host: McpPlace, text: string, name: string, entry: Readonly<Record<string, unknown>>): string {
  return host.format === "toml"
    ? setTomlEntry(text, host.section, name, entry)
    : setJsonEntry(text, host.section, name, entry);
}

function takeOut(host: McpPlace, text: string, name: string): string {
  return host.format === "toml" ? removeTomlEntry(text, host.section, name) : removeJsonEntry(text, host.section, name);
}

function preview(host: McpPlace, name: string, entry: Readonly<Record<string, unknown>>): string {
  return putIn(host, "", name, entry).trimEnd();
}

function checkName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  throw invalidArgument("--name may hold letters, digits, - and _ only.");
}

/** Proxy options that make no sense for a server that a host starts. */
const NOT_HERE = ["--url", "--servers", "--listen", "--name", "--reader"];

/** The words behind `--`: options of the proxy, another `--`, and the server's command; with `optionsOnly` no command. */
export function splitServer(
  words: readonly string[],
  optionsOnly: boolean,
): { readonly command: readonly string[]; readonly proxyFlags: readonly string[] } {
  if (!words[0]?.startsWith("-") && !(optionsOnly && words.length > 0)) return { command: words, proxyFlags: [] };
  const end = words.indexOf("--");
  const proxyFlags = end === -1 ? words : words.slice(0, end);
  const command = end === -1 ? [] : words.slice(end + 1);
  if (optionsOnly && command.length > 0)
    throw invalidArgument("--mcp wraps the servers that are there; give no command after --.");
  if (!optionsOnly && command.length === 0)
    throw invalidArgument(
      `After the options of the proxy (${proxyFlags.join(" ")}) another -- and the server's command must come.`,
    );
  checkFlags(proxyFlags);
  return { command, proxyFlags };
}

function checkFlags(flags: readonly string[]): void {
  const command = createProxyCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    const { operands, unknown } = command.parseOptions([...flags]);
    const [bad] = [...unknown, ...operands, ...flags.filter((flag) => NOT_HERE.includes(flag))];
    if (bad !== undefined) throw invalidArgument(`${bad} is not an option that the proxy takes here.`);
  } catch (error) {
    if (error instanceof SpillwayError) throw error;
    throw invalidArgument((error as Error).message);
  }
}
