import { existsSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isSpillwayError, SpillwayError } from "../../errors.ts";
import { findHost, HOSTS } from "../../integrations/hosts/find-host.ts";
import type { Host } from "../../integrations/hosts/host.ts";
import { installProgram } from "../../integrations/hosts/program-folder.ts";
import { checkHost } from "./check-host.ts";
import { confirm } from "./confirm.ts";
import { bestParts, type FileChange, type HostChanges, PARTS, type Part, planChanges } from "./host-changes.ts";
import { replaceFile } from "./replace-file.ts";
import { applyEdit, undoEdit } from "./undoable-edit.ts";

export interface InitHostsRequest {
  /** Undefined for every host that is found on this machine. */
  readonly hostName: string | undefined;
  readonly parts: readonly Part[];
  readonly project: boolean;
  readonly root: string;
  readonly dryRun: boolean;
  readonly remove: boolean;
  readonly yes: boolean;
}

interface Planned extends HostChanges {
  readonly host: Host;
  readonly parts: readonly Part[];
}

/** Puts Spillway into agents, or takes it out: says what it would change, asks, does it, and tries it. */
export async function initHosts(request: InitHostsRequest): Promise<void> {
  const named = request.hostName === undefined ? undefined : findHost(request.hostName);
  const hosts = named === undefined ? HOSTS.filter(({ folder }) => existsSync(folder())) : [named];
  if (hosts.length === 0)
    throw new SpillwayError("INVALID_ARGUMENT", "No agent was found on this machine; name one: spillway init HOST.");
  const planned = hosts.flatMap((host) => planFor(host, request, named !== undefined));
  for (const plan of planned) say(describe(plan, request));
  const busy = planned.filter(({ changes, fronts }) => changes.length > 0 || fronts.length > 0);
  const changing = busy.filter(({ changes }) => changes.length > 0);
  if (request.dryRun) return say("Nothing was changed (--dry-run).");
  if (changing.length > 0 && !request.yes && !(await confirm("Go on"))) return say("Nothing was changed.");
  if (!request.remove && busy.length > 0) await installProgram();
  for (const plan of busy) await carryOut(plan, request);
  if (request.remove) return;
  for (const { host } of busy) {
    for (const { ok, name, detail } of await checkHost(host))
      say(`${ok ? "ok  " : "FAIL"} ${host.name} ${name}: ${detail}`);
    say(`Restart ${host.title} to use it; undo: spillway init ${host.name}${flagsOf(request)} --remove`);
  }
}

/** One host that cannot be done does not keep the others from it. */
function planFor(host: Host, request: InitHostsRequest, named: boolean): Planned[] {
  const all = request.remove && request.parts.length === 0;
  const parts = all
    ? PARTS.filter((part) => host[part] !== undefined)
    : request.parts.length > 0
      ? request.parts
      : bestParts(host);
  const possible = request.project && all ? parts.filter((part) => hasProjectFile(host, part)) : parts;
  try {
    return [{ host, parts: possible, ...planChanges(host, { ...request, parts: possible }) }];
  } catch (error) {
    if (named || !isSpillwayError(error)) throw error;
    say(`${host.title}: ${error.message}`);
    return [];
  }
}

function hasProjectFile(host: Host, part: Part): boolean {
  if (part === "mcp") return host.mcp?.projectFile !== undefined;
  return part === "shell" && host.shell?.by === "prefix";
}

async function carryOut({ host, parts, changes, fronts }: Planned, request: InitHostsRequest): Promise<void> {
  for (const front of fronts) {
    await mkdir(path.dirname(front.path), { recursive: true });
    await writeFile(front.path, front.text);
    if (front.executable) await chmod(front.path, 0o755);
  }
  for (const change of changes) {
    if (!request.remove) await applyEdit(change.file, editName(parts), change.after ?? "");
    else await takeOut(change, request.parts.length === 0 ? undefined : editName(parts));
    say(`${request.remove ? "Removed from" : "Wrote"} ${change.file}.`);
  }
  if (request.remove && !request.project) await removeFronts(host);
}

/** Puts back what stood there, to the byte, where nobody changed the file since; else takes only our entries out. */
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

async function removeFronts(host: Host): Promise<void> {
  const { installedFolder } = await import("../../integrations/hosts/program-folder.ts");
  await rm(path.join(installedFolder(), "hosts", host.name), { recursive: true, force: true });
}

function editName(parts: readonly Part[]): string {
  return `hosts:${PARTS.filter((part) => parts.includes(part)).join("+")}`;
}

function everyEditName(): string[] {
  const sets: Part[][] = [["shell"], ["results"], ["mcp"], ["shell", "results"], ["shell", "mcp"], ["results", "mcp"]];
  return [...sets, [...PARTS]].map(editName);
}

function describe({ host, changes, remarks }: Planned, { remove }: InitHostsRequest): string {
  const lines = changes.map(({ file, before, what }) => {
    const how = remove ? "take out of" : before === undefined ? "make" : "add to";
    return `  ${how} ${file}: ${what}`;
  });
  const nothing = changes.length === 0 ? ["  nothing to do"] : [];
  return [`${host.title}:`, ...lines, ...nothing, ...remarks.map((remark) => `  note: ${remark}`)].join("\n");
}

function flagsOf({ parts, project }: InitHostsRequest): string {
  return `${parts.map((part) => ` --${part}`).join("")}${project ? " --project" : ""}`;
}

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}
