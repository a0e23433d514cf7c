import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { formatBytes } from "../../bytes/format-bytes.ts";
import { invalidArgument, isSpillwayError, messageOf, SpillwayError } from "../../errors.ts";
import { findHost, HOSTS } from "../../integrations/hosts/find-host.ts";
import { dataFolder, type Host, replacesShell } from "../../integrations/hosts/host.ts";
import { installedFolder, installProgram, programBytes, spoolFolder } from "../../integrations/hosts/program-folder.ts";
import { hookFile, type WrapperFile, wrapperFiles, writtenShells } from "../../integrations/hosts/wrapper-files.ts";
import { formatCount } from "../../preview/omission.ts";
import { checkHost } from "./check-host.ts";
import { byHand, confirm, diffOf, say } from "./confirm.ts";
import { applyEdit, editedFiles, replaceFile, undoEdit, whyReadOnly } from "./edit-files.ts";
import { bestParts, planChanges } from "./host-changes.ts";
import { type ChangeRequest, type FileChange, type HostChanges, PARTS, type Part } from "./plan.ts";

export interface InitHostsRequest extends ChangeRequest {
  /** Undefined for every host that is found on this machine. */
  readonly hostName: string | undefined;
  readonly dryRun: boolean;
  /** Only say what to add by hand. */
  readonly print: boolean;
  readonly yes: boolean;
}

interface Planned extends HostChanges {
  readonly host: Host;
  readonly parts: readonly Part[];
}

/** Adds Spillway to agents, or removes it: checks everything, says what would change, asks, does it, and tries it. */
export async function initHosts(request: InitHostsRequest): Promise<void> {
  const named = request.hostName === undefined ? undefined : findHost(request.hostName);
  const hosts = named === undefined ? HOSTS.filter(({ folder }) => existsSync(folder())) : [named];
  if (hosts.length === 0) throw invalidArgument("No agent was found on this machine. Name one: spillway init HOST.");
  const planned = hosts.flatMap((host) => planFor(host, request, named !== undefined));
  if (request.print) return say(planned.map((plan) => sayByHand(plan, request)).join("\n\n"));
  const busy = planned.filter(
    ({ host, changes, ownFiles }) => changes.length > 0 || ownFiles.length > 0 || removesOwnFiles(host, request),
  );
  const changing = busy.filter(({ changes }) => changes.length > 0);
  if (!request.remove && busy.length > 0) say(describeProgram());
  if (request.dryRun) return say("Nothing was changed (--dry-run).");
  const ready = busy.filter((plan) => canWrite(plan, request, named !== undefined));
  if (ready.length === 0 && busy.length > 0) return;
  if (changing.length > 0 && !request.yes && !(await confirm("Go on"))) return say("Nothing was changed.");
  if (!request.remove && ready.length > 0) {
    await installProgram();
    await refreshOwnFiles();
  }
  const done = new Set<Host>();
  for (const plan of ready)
    try {
      await carryOut(plan, request);
      done.add(plan.host);
    } catch (error) {
      if (named !== undefined) throw error;
      process.exitCode = 1;
      say(`${plan.host.title}: not done.\n  ${tilde(messageOf(error))}`);
    }
  if (request.remove) return;
  for (const version of done.size > 0 ? await removeOldVersions() : []) say(`Removed version ${version}.`);
  for (const { host, parts } of ready.filter((plan) => done.has(plan.host))) {
    const projectRoot = request.project ? request.root : undefined;
    for (const { ok, name, detail } of await checkHost(host, { parts, projectRoot }))
      say(`${ok ? "ok  " : "FAIL"} ${host.name} ${name}: ${tilde(detail)}`);
    say(`Restart ${host.title} to use it. To undo: spillway init ${host.name}${flagsOf(request)} --remove`);
    if (parts.some((part) => part !== "mcp"))
      say(`To try it: ask ${host.title} to run \`seq 1 20000\`, then run: spillway doctor --host ${host.name}`);
  }
}

/** Reports why an agent's files cannot be changed; then none of them is written. */
function canWrite({ host, changes, ownFiles }: Planned, request: InitHostsRequest, named: boolean): boolean {
  const own = ownFiles.length > 0 ? [installedFolder(), spoolFolder()] : [];
  const problems = [...changes.map(({ file }) => file), ...own].flatMap((file) => {
    const why = whyReadOnly(file);
    return why === undefined ? [] : [`${file} ${why}`];
  });
  if (problems.length === 0) return true;
  const help = request.remove
    ? "Remove the lines above by hand."
    : `${byHand(changes, tilde)}\n\nThen run spillway init ${host.name} again; it installs the program and leaves these files alone.`;
  const problem = tilde(problems.join("; "));
  const message = `${problem}. Nothing was changed. If another tool manages it (nix, home-manager, a dotfiles repository):\n\n${help}`;
  if (named) throw new SpillwayError("STORE_FAILED", message);
  process.exitCode = 1;
  say(`${host.title}: not done.\n  ${message}`);
  return false;
}

function sayByHand({ host, changes }: Planned, request: InitHostsRequest): string {
  if (changes.length === 0) return `${host.title}: its files need no change.`;
  return `${byHand(changes, tilde)}\n\nThen run: spillway init ${host.name}${flagsOf(request)}`;
}

function describeProgram(): string {
  const size = formatBytes(programBytes());
  return `The program that agents start (${size}) is copied to ${tilde(installedFolder())}.`;
}

/** Our own files for a host. */
function hostFolder(host: Host): string {
  return path.join(installedFolder(), "hosts", host.name);
}

/** False if a part of the host stays, which still needs them. */
function removesOwnFiles(host: Host, { remove, project, parts }: InitHostsRequest): boolean {
  return remove && !project && parts.length === 0 && existsSync(hostFolder(host));
}

/** Plans one host. A host that fails does not stop the others, unless it was named. */
function planFor(host: Host, request: InitHostsRequest, named: boolean): Planned[] {
  const all = request.remove && request.parts.length === 0;
  const parts = all
    ? PARTS.filter((part) => host[part] !== undefined)
    : request.parts.length > 0
      ? request.parts
      : bestParts(host);
  const possible = request.project && all ? parts.filter((part) => hasProjectFile(host, part)) : parts;
  try {
    const plan = { host, parts: possible, ...planChanges(host, { ...request, parts: possible }) };
    if (!request.print) say(describe(plan, request));
    return [plan];
  } catch (error) {
    if (named || !isSpillwayError(error)) throw error;
    say(`${host.title}: left out.\n  ${tilde(error.message)}`);
    return [];
  }
}

function hasProjectFile(host: Host, part: Part): boolean {
  if (part === "mcp") return host.mcp?.projectFile !== undefined;
  if (part === "results") return host.results?.by === "hook" && host.results.projectSettings !== undefined;
  return part === "shell" && host.shell?.by === "shell";
}

async function carryOut({ host, parts, changes, ownFiles }: Planned, request: InitHostsRequest): Promise<void> {
  await writeOwnFiles(ownFiles);
  for (const change of changes) {
    if (!request.remove) await applyEdit(change.file, editName(parts), change.after ?? "");
    else await takeOut(change, request.parts.length === 0 ? undefined : editName(parts));
    say(`${request.remove ? "Removed from" : "Wrote"} ${tilde(change.file)}.`);
  }
  if (request.remove && !request.project && parts.includes("shell")) await removeShells(host);
  // The part that stays still needs it.
  if (!request.remove || request.project || request.parts.length > 0) return;
  const gone = await removeProgram(host);
  if (gone !== undefined) say(`Removed ${tilde(gone)}, which nothing uses any more.`);
}

async function removeShells({ shell }: Host): Promise<void> {
  if (shell?.by !== "shell") return;
  for (const file of writtenShells(shell)) await rm(file);
  await rmdir(shell.programFolder()).catch(() => undefined);
}

/** Restores the file byte for byte if nobody changed it since; otherwise removes only our entries. */
async function takeOut({ file, after }: FileChange, name: string | undefined): Promise<void> {
  const names = name === undefined ? everyEditName() : [name];
  let undone = false;
  for (let at = 0; at < names.length; ) {
    const did = await undoEdit(file, names[at] as string);
    undone ||= did;
    at = did ? 0 : at + 1;
  }
  if (undone) return;
  if (after === undefined) await rm(file, { force: true });
  else await replaceFile(file, after);
}

function editName(parts: readonly Part[]): string {
  return `hosts:${PARTS.filter((part) => parts.includes(part)).join("+")}`;
}

function everyEditName(): string[] {
  const sets: Part[][] = [["shell"], ["results"], ["mcp"], ["shell", "results"], ["shell", "mcp"], ["results", "mcp"]];
  return [...sets, [...PARTS]].map(editName);
}

/** Three lines of an agent: what is bounded, what is changed for that, and what stays; notes where there are any. */
function describe({ host, parts, changes, remarks }: Planned, request: InitHostsRequest): string {
  const { remove } = request;
  const own = removesOwnFiles(host, request);
  const files = changes.map((change) => {
    const { file, before, after, what } = change;
    if (after === undefined) return `  remove ${tilde(file)}`;
    const how = remove ? "remove from" : before === undefined ? "create" : "add to";
    return `  ${how} ${tilde(file)}: ${what}\n${diffOf(change)}`;
  });
  return [
    `${host.title}: ${remove ? "take Spillway out again" : sayParts(host, parts)}.`,
    ...(files.length > 0 ? files : [own ? `  remove ${tilde(hostFolder(host))}` : "  nothing to do"]),
    ...(remove || files.length === 0 ? [] : [`  ${sayRest(host)}`]),
    ...remarks.map((remark) => `  note: ${tilde(remark)}`),
  ].join("\n");
}

function sayParts(host: Host, parts: readonly Part[]): string {
  const all = host.shell === undefined && replacesShell(host);
  const others = all ? "the results of its tools, including the shell" : "the results of its other tools";
  const bounded = [
    ...(parts.includes("shell") ? ["what its shell prints"] : []),
    ...(parts.includes("results") ? [others] : []),
  ];
  return [
    ...(bounded.length > 0 ? [`bound ${bounded.join(" and ")}`] : []),
    ...(parts.includes("mcp") ? ["put its MCP servers behind the proxy"] : []),
  ].join(", ");
}

function sayRest({ title, shell, results, maxBytes }: Host): string {
  if (shell === undefined && results === undefined)
    return `unchanged: its built-in shell, because only ${title}'s MCP servers can be reached.`;
  return `unchanged: the commands you approve, your permission rules, and output up to ${formatCount(maxBytes.success)} bytes.`;
}

/** Paths as the user would write them. */
function tilde(text: string): string {
  return text.replaceAll(`${homedir()}${path.sep}`, `~${path.sep}`);
}

function flagsOf({ parts, project }: InitHostsRequest): string {
  return `${parts.map((part) => ` --${part}`).join("")}${project ? " --project" : ""}`;
}

/** Removes our files for a host, of every version, and the program if no host uses it; returns the removed folder. */
async function removeProgram(host: Host): Promise<string | undefined> {
  const folder = dataFolder();
  const versions = ["program", ...(await oldVersions())].filter((name) => existsSync(path.join(folder, name)));
  let others = 0;
  for (const version of versions) {
    const hosts = path.join(folder, version, "hosts");
    await rm(path.join(hosts, host.name), { recursive: true, force: true });
    others += (await readdir(hosts).catch(() => [])).length;
  }
  if (versions.length === 0 || others > 0 || (await isNamed(folder))) return undefined;
  for (const version of versions) await rm(path.join(folder, version), { recursive: true, force: true });
  await rmdir(folder).catch(() => undefined);
  return folder;
}

/** Folders of older versions, which had one each. */
async function oldVersions(): Promise<readonly string[]> {
  return (await readdir(dataFolder()).catch(() => [])).filter((name) => /^\d+\.\d+\.\d+/.test(name));
}

/** Removes the old versions that no agent's file names any more. */
async function removeOldVersions(): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const version of await oldVersions()) {
    const folder = path.join(dataFolder(), version);
    if (await isNamed(folder + path.sep)) continue;
    await rm(folder, { recursive: true, force: true });
    removed.push(version);
  }
  return removed;
}

/** Rewrites our files of every agent for this version. */
async function refreshOwnFiles(): Promise<void> {
  for (const host of HOSTS) {
    if (!existsSync(hostFolder(host))) continue;
    const { shell, results } = host;
    if (shell !== undefined) await writeOwnFiles(wrapperFiles(host, shell, installedFolder()));
    if (results?.by === "hook") await writeOwnFiles([hookFile(host, results, installedFolder())]);
  }
}

async function writeOwnFiles(ownFiles: readonly WrapperFile[]): Promise<void> {
  for (const file of ownFiles) {
    // `doctor` takes the time of an unchanged file as the time of the first `init`.
    if ((await readFile(file.path, "utf8").catch(() => undefined)) === file.text) continue;
    await mkdir(path.dirname(file.path), { recursive: true });
    await writeFile(file.path, file.text);
    if (file.executable) await chmod(file.path, 0o755);
  }
}

/** True when a file that we edited still starts something from the folder. */
async function isNamed(folder: string): Promise<boolean> {
  for (const file of await editedFiles()) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text.includes(folder) || text.includes(JSON.stringify(folder).slice(1, -1))) return true;
  }
  return false;
}
