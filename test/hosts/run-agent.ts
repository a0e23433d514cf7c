import { execFileSync, spawn } from "node:child_process";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtPackage } from "../support/build.ts";
import type { Agent, Place } from "./agents/agent.ts";
import { NODE_MODULES } from "./agents/installed.ts";
import { bytesOf, DELEGATED, OTHERS, PROMPT } from "./cases.ts";
import { type Model, type ModelCall, startModel } from "./model/start-model.ts";

export interface AgentRun {
  readonly calls: (place: Place) => readonly ModelCall[];
  /** Whether `spillway init HOST` is run before. */
  readonly spillway: boolean;
  /** With the agent's own rules instead of everything allowed. */
  readonly restricted?: boolean;
  /** In the agent's own sandbox. */
  readonly confined?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The command of an MCP server, to be configured as `logs` before `init`. */
  readonly server?: readonly string[];
  /** Done after `init` and before the agent starts. */
  readonly arrange?: (place: Place) => void | Promise<void>;
}

export interface AgentEnd {
  readonly place: Place;
  readonly model: Model;
  /** What the agent printed, for messages. */
  readonly printed: string;
  /** What `init` said. */
  readonly said: string;
}

const LIMIT_MS = 420_000;

/** Runs an agent once in a home of its own against a model that makes these calls. */
export async function runAgent(agent: Agent, run: AgentRun): Promise<AgentEnd> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), `spillway-${agent.host}-`)));
  const work = join(home, "work");
  mkdirSync(join(home, "tmp"));
  mkdirSync(join(work, "sub"), { recursive: true });
  execFileSync("git", ["init", "-q", work]);
  const place = { home, work, url: "" };
  const sub = { unless: PROMPT.slice(0, 100), prompt: DELEGATED, text: bytesOf(OTHERS.at(-1)!).toString() };
  const model = await startModel(run.calls(place), sub);
  Object.assign(place, { url: model.url });
  const env = { ...cleanEnvironment(home), PATH: programsOf(home), ...run.env };
  const restricted = run.restricted === true;
  agent.configure(place, restricted);
  if (run.confined === true) agent.confine?.(place);
  if (run.server !== undefined) agent.server?.add(place, run.server);
  const said = run.spillway ? await init(agent, place, env, []) : "";
  if (run.spillway && run.server !== undefined && agent.server && (restricted || agent.server.by === "proxy"))
    await init(agent, place, env, ["--mcp"]);
  await run.arrange?.(place);
  const started = agent.start(place, PROMPT, restricted);
  const [program = "", ...args] = [...commandOf(agent), ...started.args];
  const printed = await runToEnd(program, args, { cwd: work, env: { ...env, ...started.env } });
  model.close();
  return { place, model, printed, said };
}

/** How an agent is started: one that refuses the tests' own Node runs with that of its folder. */
export function commandOf({ program, ownNode }: Agent): readonly string[] {
  const node = join(NODE_MODULES, ".bin", "node");
  const file = join(NODE_MODULES, ".bin", program);
  return ownNode === true && existsSync(node) ? [node, file] : [file];
}

/** `spillway init` as the user of this home. */
export async function init(agent: Agent, place: Place, env: NodeJS.ProcessEnv, flags: readonly string[]) {
  const { bin } = await builtPackage();
  const args = [bin, "init", agent.host, "--yes", "--root", place.work, ...flags];
  return execFileSync(nodeFor(place.home), args, { env, cwd: place.work, encoding: "utf8" });
}

function nodeFor(home: string): string {
  return existsSync(nodeOf(home)) ? nodeOf(home) : process.execPath;
}

/** The one Node of a home, which can be taken away. */
export function nodeOf(home: string): string {
  return join(home, "bin", "node");
}

/** A folder with all the programs of this machine, and a Node of its own. */
function programsOf(home: string): string {
  const bin = join(home, "bin");
  mkdirSync(bin);
  copyFileSync(process.execPath, nodeOf(home), constants.COPYFILE_FICLONE);
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(":").filter((one) => existsSync(one)))
    for (const name of readdirSync(folder))
      if (name !== "nodejs" && !existsSync(join(bin, name)))
        try {
          symlinkSync(join(folder, name), join(bin, name));
        } catch {}
  return bin;
}

/** Another command of Spillway's as the user of this home, in the project. */
export async function spillway({ home, work }: Place, ...args: readonly string[]): Promise<string> {
  const { bin } = await builtPackage();
  return execFileSync(nodeFor(home), [bin, ...args], { env: cleanEnvironment(home), cwd: work, encoding: "utf8" });
}

/** Nothing of the tester's own: no keys, no configuration, no network but loopback where the launcher could see to it. */
export function cleanEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    TMPDIR: join(home, "tmp"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    CODEX_HOME: join(home, ".codex"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/bash",
    USER: "user",
    NO_PROXY: "127.0.0.1,localhost",
  };
}

/** Files below a folder that hold at least so many bytes. */
export function filesOf(folder: string, leastBytes: number): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats?.isFile() === true && stats.size >= leastBytes;
    });
}

export function throwAway({ place }: AgentEnd): void {
  rmSync(place.home, { recursive: true, force: true });
}

function runToEnd(program: string, args: readonly string[], options: { cwd: string; env: Record<string, string> }) {
  const child = spawn(program, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      printed = (printed + chunk).slice(-20_000);
    });
  const stop = () => {
    // Its own group: agents start servers and shells that would outlive it.
    if (child.pid !== undefined)
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {}
  };
  const timer = setTimeout(stop, LIMIT_MS);
  return new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(timer);
      stop();
      resolve(printed);
    });
  });
}
