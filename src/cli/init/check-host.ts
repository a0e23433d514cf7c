import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stateArtifactDir } from "../../artifacts/local/store-folder.ts";
import { messageOf } from "../../errors.ts";
import { isBounded } from "../../integrations/hosts/bound-file.ts";
import type { Host, McpPlace, PluginPlace } from "../../integrations/hosts/host.ts";
import { pluginText } from "../../integrations/hosts/plugin-files.ts";
import { installedFolder, installedVersion, lastUse } from "../../integrations/hosts/program-folder.ts";
import { hookFile, wrapperFiles, writtenShells } from "../../integrations/hosts/wrapper-files.ts";
import { pluralOf } from "../../preview/omission.ts";
import { VERSION } from "../../version.ts";
import { bestParts } from "./host-changes.ts";
import { type Part, readIfThere, withComments } from "./plan.ts";
import { ALREADY_OURS, wrapServers } from "./wrap-servers.ts";

export interface HostCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Nothing is wrong, but nothing proves that it works either. */
  readonly unproved?: true;
}

const LINES = 4000;
const NEEDLE = "error: spillway doctor was here";

export interface CheckedPlace {
  readonly parts: readonly Part[];
  /** Set to check the project's own files. */
  readonly projectRoot?: string | undefined;
}

/** Checks the files that `init` wrote for a host, and runs them with a small and a large output. */
export async function checkHost(
  host: Host,
  place: CheckedPlace = { parts: bestParts(host) },
): Promise<readonly HostCheck[]> {
  const shell = place.parts.includes("shell") ? await tryWrapper(host) : [];
  const hook = place.parts.includes("results") ? await tryHook(host) : [];
  const plugin = place.parts.some((part) => part !== "mcp") ? await tryPlugin(host) : [];
  return [checkProgram(host), ...checkFiles(host, place), ...shell, ...hook, ...plugin];
}

/** When the agent itself last ran a wrapper, hook or plugin of ours: only this proves that it uses them. */
export function checkUse(host: Host, now = Date.now()): readonly HostCheck[] {
  const since = [path.join(installedFolder(), "hosts", host.name), pluginOf(host)]
    .flatMap((file) => (file === undefined ? [] : [statSync(file, { throwIfNoEntry: false })?.mtimeMs]))
    .find((time) => time !== undefined);
  if (since === undefined || bestParts(host).every((part) => part === "mcp")) return [];
  const last = lastUse(host.name);
  if (last !== undefined && last.getTime() >= since)
    return [{ name: "used", ok: true, detail: `last used by ${host.title} ${ago(now - last.getTime())}` }];
  const what = `never used by ${host.title} since init ${ago(now - since)}`;
  return [{ name: "used", ok: true, unproved: true, detail: `${what}; ask it to run: seq 1 20000` }];
}

function pluginOf({ results }: Host): string | undefined {
  return results?.by === "plugin" ? results.userFile() : undefined;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

function ago(ms: number): string {
  const [unit, size] = UNITS.find(([, least]) => ms >= least) ?? UNITS[3];
  const count = Math.max(0, Math.floor(ms / size));
  return `${count} ${pluralOf(count, unit)} ago`;
}

function checkProgram(host: Host): HostCheck {
  const program = path.join(installedFolder(), "bin", "spillway.mjs");
  const ok = existsSync(program);
  const version = installedVersion();
  const older =
    version === VERSION ? "" : ` (version ${version}; this is ${VERSION}: spillway init ${host.name} upgrades it)`;
  return {
    name: "program",
    ok,
    detail: ok ? program + older : `${program} is missing; run spillway init ${host.name}`,
  };
}

function checkFiles(host: Host, { parts, projectRoot }: CheckedPlace): HostCheck[] {
  const checks: HostCheck[] = [];
  const { shell, results } = host;
  const choose = (user: () => string, project: string | undefined): string =>
    projectRoot === undefined || project === undefined ? user() : path.join(projectRoot, project);
  const withoutFile = shell?.by === "bash-env-dotenv" && !existsSync(shell.envFile());
  if (
    shell !== undefined &&
    shell.by !== "plugin" &&
    shell.by !== "launcher" &&
    parts.includes("shell") &&
    !withoutFile
  ) {
    const wrapper = wrapperFiles(host, shell, installedFolder()).at(-1)!.path;
    const file =
      shell.by === "bash-env-dotenv"
        ? shell.envFile()
        : choose(shell.settings, shell.by === "shell" ? shell.projectSettings : undefined);
    checks.push(
      checkMention(host, "shell", file, shell.by === "shell" ? (writtenShells(shell)[0] ?? wrapper) : wrapper),
    );
  }
  if (results?.by === "plugin")
    checks.push(checkMention(host, "results", results.userFile(), pluginText(host, results, installedFolder())));
  else if (results !== undefined && parts.includes("results")) {
    const file = choose(results.settings, results.projectSettings);
    checks.push(checkMention(host, "results", file, hookFile(host, results, installedFolder()).path));
  }
  if (host.mcp !== undefined && parts.includes("mcp"))
    checks.push(checkServers(host, host.mcp, withComments(choose(host.mcp.userFile, host.mcp.projectFile))));
  return checks;
}

/** Checks that every server is behind a proxy of this version. */
function checkServers(host: Host, place: McpPlace, file: string): HostCheck {
  const proxy = [process.execPath, path.join(installedFolder(), "bin", "spillway.mjs")] as const;
  const { wrapped, left } = wrapServers(readIfThere(file) ?? "", host, place, { proxy, flags: [] });
  const behind = left.filter((one) => one.endsWith(ALREADY_OURS)).map((one) => one.split(":")[0]);
  if (wrapped.length > 0)
    return {
      name: "servers",
      ok: false,
      detail: `${wrapped.join(", ")} in ${file}: not behind the proxy of this version; run spillway init ${host.name} --mcp`,
    };
  const said = behind.length === 0 ? "no server to put behind the proxy" : `${behind.join(", ")} behind the proxy`;
  return { name: "servers", ok: true, detail: `${file}: ${said}` };
}

function checkMention(host: Host, name: string, file: string, needed: string): HostCheck {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { name, ok: false, detail: `${file} does not exist; run spillway init ${host.name}` };
  }
  if (text.includes(needed) || text.includes(JSON.stringify(needed).slice(1, -1)))
    return { name, ok: true, detail: file };
  const old = /spillway[/\\](\d+\.\d+\.\d+)/.exec(text)?.[1];
  return {
    name,
    ok: false,
    detail:
      old !== undefined && old !== VERSION
        ? `${file} names version ${old}, this is ${VERSION}; run spillway init ${host.name}`
        : `${file} does not mention Spillway; run spillway init ${host.name}`,
  };
}

/** A small output must come unchanged, a large one with its error line and an artifact. */
async function tryWrapper(host: Host): Promise<HostCheck[]> {
  const { shell } = host;
  if (shell === undefined) return [];
  const files = wrapperFiles(host, shell, installedFolder());
  const wrapper = shell.by === "shell" ? (writtenShells(shell)[0] ?? files.at(-1)!.path) : files[0]!.path;
  return tryIn(host, "wrapper", wrapper, async (cwd) => {
    const run = (line: string): Promise<string> =>
      runProgram(
        wrapper,
        shell.by === "shell" ? ["-c", `{ ${line}; } && ${shell.lineHolds} /dev/null`] : ["/bin/sh", "-c", line],
        cwd,
      );
    const small = await run("echo small");
    const loop = `i=0; while [ $i -lt ${LINES} ]; do echo "line $i of a long output"; [ $i = 2000 ] && echo "${NEEDLE}"; i=$((i+1)); done`;
    const large = await run(loop);
    const bytes = Buffer.byteLength(large);
    const whole = large.includes(NEEDLE) && isBounded(large);
    return small === "small\n" && bytes <= host.maxBytes.success && whole
      ? [true, `small output passes unchanged; ${LINES} lines become ${bytes} bytes that include the error`]
      : [false, `a test output did not come out as expected (${bytes} bytes)`];
  });
}

/** A small result must be left alone, a large one answered with its error line. */
async function tryHook(host: Host): Promise<HostCheck[]> {
  const { results } = host;
  if (results?.by !== "hook") return [];
  const hook = hookFile(host, results, installedFolder()).path;
  return tryIn(host, "hook", hook, async (folder) => {
    const ask = async (text: string): Promise<string> => {
      const response = results.answer === "updated-output" ? { content: text } : { llmContent: text };
      const transcript = path.join(folder, "chats", "session.jsonl");
      const call = { tool_name: results.matcher.split("|")[0], tool_input: {}, tool_response: response };
      const input = { cwd: folder, transcript_path: transcript, ...call };
      const answer = await runProgram(hook, [], folder, JSON.stringify(input));
      const file = /"file_path":"([^"]+)"/.exec(answer)?.[1];
      return file === undefined ? answer : readFileSync(file, "utf8");
    };
    const saved = path.join(folder, "output");
    writeFileSync(saved, longResult());
    const long =
      results.saved === undefined || results.answer !== "add-context" ? longResult() : results.saved.example(saved);
    const [small, large] = [await ask("small"), await ask(long)];
    const bytes = Buffer.byteLength(large);
    return small === "" && large.includes(NEEDLE) && bytes < host.maxBytes.success * 1.5
      ? [true, `a small result is left alone; ${LINES} lines become ${bytes} bytes that include the error`]
      : [false, `a test result was not answered as expected (${bytes} bytes)`];
  });
}

/** The same for a plugin, loaded as the host loads it. */
async function tryPlugin(host: Host): Promise<HostCheck[]> {
  const { results } = host;
  if (results?.by !== "plugin" || !existsSync(results.userFile())) return [];
  return tryIn(host, "plugin", results.userFile(), async (folder) => {
    const file = path.join(folder, "plugin.mjs");
    copyFileSync(results.userFile(), file);
    const args = ["--input-type=module", "-e", LOADERS[results.kind], file];
    const large = await runProgram(process.execPath, args, folder, longResult());
    const bytes = Buffer.byteLength(large);
    return large.includes(NEEDLE) && bytes < host.maxBytes.success
      ? [true, `${LINES} lines become ${bytes} bytes that include the error`]
      : [false, `a test result was not replaced as expected (${bytes} bytes)`];
  });
}

/** Tries a file in a temporary folder. A missing file or an exception fails the check. */
async function tryIn(
  host: Host,
  name: string,
  file: string,
  attempt: (folder: string) => Promise<readonly [ok: boolean, detail: string]>,
): Promise<HostCheck[]> {
  if (!existsSync(file)) return [{ name, ok: false, detail: `${file} is missing; run spillway init ${host.name}` }];
  let folder: string | undefined;
  try {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), "spillway-doctor-")));
    const [ok, detail] = await attempt(folder);
    return [{ name, ok, detail }];
  } catch (error) {
    return [{ name, ok: false, detail: messageOf(error) }];
  } finally {
    // Some hosts save outputs in the user's state folder.
    for (const made of folder === undefined ? [] : [folder, stateArtifactDir(folder)]) removeTrial(made);
  }
}

/** Removes what a trial left. A state folder that is not there, or is a file, holds nothing of it. */
function removeTrial(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
  }
}

function longResult(): string {
  const rows = Array.from({ length: LINES }, (_, at) => (at === LINES / 2 ? NEEDLE : `line ${at} of a long result`));
  return rows.join("\n");
}

const READ =
  'import { text } from "node:stream/consumers"; const long = await text(process.stdin); const cwd = process.cwd();';

/** What a host does with a plugin of its kind and one long result. */
const LOADERS: Readonly<Record<PluginPlace["kind"], string>> = {
  opencode: `${READ}
const { SpillwayPlugin } = await import(process.argv[1]);
const output = { output: long, metadata: { exit: 0 } };
await (await SpillwayPlugin({ directory: cwd }))["tool.execute.after"]({ tool: "bash", args: {} }, output);
process.stdout.write(output.output);`,
  pi: `${READ}
const events = {};
(await import(process.argv[1])).default({ on: (name, handler) => { events[name] = handler; } });
const event = { toolName: "bash", content: [{ type: "text", text: long }], details: {}, isError: false };
const replaced = await events.tool_result(event, { cwd });
process.stdout.write(replaced?.content[0].text ?? long);`,
};

function runProgram(program: string, args: readonly string[], cwd: string, input = ""): Promise<string> {
  // As a host runs it: not switched off.
  const { SPILLWAY: _off, ...own } = process.env;
  const env = { ...own, SPILLWAY_TRYING: "1" };
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...args], { cwd, env, timeout: 60_000 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
