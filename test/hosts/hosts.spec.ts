import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { findHost } from "../../src/integrations/hosts/find-host.ts";
import { replacesShell } from "../../src/integrations/hosts/host.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Agent, type Place, put } from "./agents/agent.ts";
import { AGENTS } from "./agents/agents.ts";
import { installedVersion } from "./agents/installed.ts";
import { bytesOf, CASES, type Case, DELEGATED, HUGE, OTHERS, PROMPT } from "./cases.ts";
import type { SeenResult } from "./model/protocol.ts";
import { type ModelCall, startModel } from "./model/start-model.ts";
import { type CaseResult, keepResult, readResults, renderTable, type Seen, SMALL_COMMANDS } from "./results.ts";
import {
  type AgentEnd,
  cleanEnvironment,
  commandOf,
  filesOf,
  init,
  nodeOf,
  runAgent,
  spillway,
  throwAway,
} from "./run-agent.ts";

const MOST_BYTES = 9500;
/** On a busy machine; bench/speed/hosts.mjs measures it alone. */
const MOST_SMALL_MS = 300;
const LONG = process.env.SPILLWAY_HOSTS_LONG === "1";
const ONLY = process.env.SPILLWAY_HOSTS_ONLY?.split(",");
const SHORT = ["build", "build-fails", "tests", "asked"];

/** Everything in the long form; in the short one what takes longest is left to the agents that are quick. */
function largeOf({ quick, noTranscripts }: Agent): readonly Case[] {
  const cases = LONG ? [...CASES, HUGE] : CASES.filter(({ name }) => quick === true || SHORT.includes(name));
  return cases.filter(({ name }) => noTranscripts !== true || name !== "asked");
}

/** The same without Spillway. */
function aloneOf(agent: Agent): readonly Case[] {
  return agent.slowAlone === true ? [] : largeOf(agent);
}

const SERVER = fileURLToPath(new URL("mcp-server.mjs", import.meta.url));
const SAVED = /\/[^\s'"]*\/tool-output\/[^\s'"]*tool_[^\s'"]+\.[a-z]+/;

for (const agent of AGENTS.filter(({ host }) => ONLY === undefined || ONLY.includes(host))) {
  const version = installedVersion(agent.package);
  describe.skipIf(version === undefined)(
    `${agent.title} ${version ?? "(not installed: npm run test:hosts -- --install)"}`,
    () => {
      test("shows its model what matters of every output, and loses nothing", () => tryOutputs(agent, version ?? ""));
      test.skipIf(agent.rules.length === 0)("keeps its own rules", () => tryRules(agent, version ?? ""));
      test.skipIf(agent.confine === undefined)("works in its sandbox", () => tryConfined(agent, version ?? ""));
      test.skipIf(agent.looks === undefined)("shows commands that go on, and those with a terminal, as they are", () =>
        tryLooks(agent, version ?? ""),
      );
      test.runIf(agent.inside)("bounds what an agent shows its model that is started inside its shell", () =>
        tryInside(agent, version ?? ""),
      );
      test("runs commands where nothing but its settings arrived", () => tryMoved(agent, version ?? ""));
      test("gets every byte of its configuration back", () => tryRemoval(agent));
      test.runIf(LONG)("is as it was with SPILLWAY=off", () => trySwitchedOff(agent));
    },
  );
}

afterAll(() => {
  for (const result of Object.values(readResults())) console.log(`\n${renderTable(result)}`);
});

/** What the proxy answers has a limit of its own, below the agent's cut of such answers. */
function mostBytes({ host, server }: Agent, name: string): number {
  const client = name === "mcp" && server?.by === "proxy" ? findHost(host).mcp?.client : undefined;
  return client === undefined ? MOST_BYTES : client.maxBytes.success * 1.1;
}

interface Step extends ModelCall {
  readonly name: string;
}

/** One session without Spillway and one with it, each with all the outputs. */
async function tryOutputs(agent: Agent, version: string): Promise<void> {
  const plain = await runSession(agent, false, (place) => [
    step("small", agent.shell("echo one; echo two >&2; exit 4")),
    step("cd", agent.shell("cd sub && pwd")),
    step("pwd", agent.shell("pwd")),
    ...smallSteps(agent),
    ...aloneOf(agent).map((one) => step(one.name, agent.shell(one.line))),
    ...otherSteps(agent, place),
  ]);
  const bounded = await runSession(agent, true, (place) => boundedSteps(agent, place));
  try {
    const small = [plain.of("small"), bounded.of("small")].map((seen) => smallLines(agent, seen).join("\n"));
    expect.soft(small[1], "a small output").toBe(small[0]);
    expect
      .soft(normal(bounded.of("pwd")).replaceAll(bounded.end.place.home, plain.end.place.home), "cd")
      .toBe(normal(plain.of("pwd")));
    const others = OTHERS.filter(({ name }) => otherSteps(agent, bounded.end.place).some((one) => one.name === name));
    const cases = [...largeOf(agent), ...others].map((one) =>
      judge(agent, one, plain.find(one.name), bounded.of(one.name), bounded.end),
    );
    for (const one of cases) {
      expect.soft(one.spillway.bytes, `${one.name}: bytes`).toBeLessThanOrEqual(mostBytes(agent, one.name));
      expect.soft(one.spillway.marks, `${one.name}: lines that matter`).toBe(one.marks);
      expect.soft(one.artifactExact, `${one.name}: artifact\n${bounded.of(one.name).text.slice(-800)}`).toBe(true);
      expect.soft(one.exitKept, `${one.name}: exit state`).toBe(true);
    }
    const checks: Record<string, boolean> = {
      "small output as it was": small[1] === small[0],
      "its own reader reads the artifact": bounded.of("read").text.includes("MARK-1"),
      "a slow command's first output is shown": bounded.of("slow").text.includes("started"),
      "a folder that cannot be written": marksIn(bounded.of("unwritable").text, 6) === 6,
    };
    for (const { name } of missingParts(bounded.end.place))
      checks[`commands run without ${name}`] = bounded.of(`without ${name}`).text.includes("still here");
    const rows = bounded
      .of("off")
      .text.split("\n")
      .map((row) => row.replace(/^\s*\d+[:|\t]|^Output: /, "").trim());
    checks["a line that ends with `# spillway:off` comes whole"] = OFF_ROWS.every((row) => rows.includes(row));
    expect.soft(bounded.left, "processes left by small commands").toEqual([]);
    checks["a small command leaves no process behind"] = bounded.left.length === 0;
    if (agent.slowAlone !== true)
      checks["a crash of Spillway leaves the command's output and exit state"] = survives(
        agent,
        bounded.of("crash"),
        plain.find("build-fails"),
      );
    if (agent.backgroundFile !== undefined)
      checks["a background command shows what it has printed"] = bounded
        .of("background output")
        .text.includes("started");
    const full = bounded.find("full disk");
    if (full !== undefined) {
      // Without the wrapper the agent shows what it would show alone.
      const host = findHost(agent.host);
      const hookOnly = replacesShell(host) && host.results?.by === "hook";
      const alone = hookOnly ? (plain.find("build-fails")?.text ?? "") : "";
      const most = Math.max(MOST_BYTES, Buffer.byteLength(alone));
      checks["a full disk leaves the command and its exit state alone"] =
        tells(agent, full, 101) && full.text.includes("Compiling crate-") && Buffer.byteLength(full.text) <= most;
    }
    if (agent.noTranscripts !== true) {
      checks["`discover` finds what was hidden in its transcripts"] = await discovers(agent, plain.end.place);
      checks["`stats --hosts` counts what was bounded and read again"] = await accounts(agent, bounded.end.place);
    }
    checks["`doctor` knows when it last used Spillway"] = /^last used by .* ago$/.test(
      await lastUse(agent, bounded.end.place),
    );
    for (const [name, held] of Object.entries(checks)) expect.soft(held, name).toBe(true);
    const times = { alone: medianOf(plain.took), spillway: medianOf(bounded.took) };
    expect.soft(times.spillway - times.alone, "ms for a small command").toBeLessThan(MOST_SMALL_MS);
    keepResult(agent.host, { title: agent.title, version, cases, small: times, checks });
  } catch (error) {
    console.log(plain.end.printed, bounded.end.printed);
    throw error;
  } finally {
    throwAway(plain.end);
    throwAway(bounded.end);
  }
}

/** Of the session without Spillway: every long output, and the error line where the agent keeps the whole of it. */
async function discovers(agent: Agent, place: Place): Promise<boolean> {
  const { host, keepsOutput } = agent;
  const told = JSON.parse(await spillway(place, "discover", "--host", host, "--json")) as {
    readonly hosts: readonly [{ readonly tooLong: readonly { asked: string; hidden?: { line: string } | null }[] }];
  };
  const { tooLong } = told.hosts[0];
  const build = tooLong.find(({ asked }) => asked.endsWith("print.mjs build"));
  const hidden = keepsOutput === true ? build?.hidden?.line.includes("MARK-1") : build?.hidden === undefined;
  return tooLong.length >= largeOf(agent).length && build !== undefined && hidden === true;
}

/** What `doctor` says of the agent's use of Spillway. */
async function lastUse({ host }: Agent, place: Place): Promise<string> {
  const { checks } = JSON.parse(await spillway(place, "doctor", "--host", host, "--json")) as {
    readonly checks: readonly { readonly name: string; readonly detail: string }[];
  };
  return checks.find(({ name }) => name === "used")?.detail ?? "";
}

async function accounts(agent: Agent, place: Place): Promise<boolean> {
  const { host, shell } = agent;
  const told = JSON.parse(await spillway(place, "stats", "--hosts", "--json")) as {
    readonly hosts: readonly { host: string; tool: string; bounded: number; shownBytes: number; rereadBytes: number }[];
  };
  const row = told.hosts.find((one) => one.host === host && shell("").tools.includes(one.tool));
  return (
    row !== undefined && row.bounded >= largeOf(agent).length && row.rereadBytes > 0 && row.shownBytes > row.rereadBytes
  );
}

function boundedSteps(agent: Agent, place: Place): Step[] {
  const program = join(installedFolder(place), "program/bin/spillway.mjs");
  let saved = "";
  const textOf = (name: string, seen: readonly SeenResult[]): string =>
    seen[steps.findIndex((one) => one.name === name)]?.text ?? "";
  const steps: Step[] = [
    step("small", agent.shell("echo one; echo two >&2; exit 4")),
    step("cd", agent.shell("cd sub && pwd")),
    step("pwd", agent.shell("pwd")),
    ...smallSteps(agent),
    step("off", agent.shell(`seq -f 'of it, row %g' 1 ${OFF_ROWS.length} # spillway:off`)),
    ...largeOf(agent).map((one) => step(one.name, agent.shell(one.line))),
    {
      name: "read",
      tools: agent.read("", 1).tools,
      input: (seen: readonly SeenResult[]) => {
        const shown = textOf("build", seen);
        const line =
          bytesOf(CASES[0]!)
            .toString()
            .split("\n")
            .findIndex((row) => row.includes("MARK-1")) + 1;
        return agent.read(SAVED.exec(shown)?.[0] ?? "", line).input(seen);
      },
    },
    step("slow", agent.shell(`echo started; sleep ${((agent.yieldMs ?? 5000) + 3000) / 1000}; echo finished`)),
    step("crash", agent.shell(agent.slowAlone === true ? "true" : CASES[1]!.line), () => {
      saved = readFileSync(program, "utf8");
      writeFileSync(program, "process.exit(9);\n");
    }),
    step("unwritable", agent.shell(CASES[1]!.line), () => {
      writeFileSync(program, saved);
      for (const folder of saveFolders(place)) {
        if (existsSync(folder)) renameSync(folder, `${folder}-away`);
        mkdirSync(dirname(folder), { recursive: true });
        writeFileSync(folder, "");
      }
    }),
  ];
  for (const { name, file } of missingParts(place))
    steps.push(
      step(`without ${name}`, agent.shell("echo still here"), () => renameSync(file, `${file}-away`)),
      step(`with ${name}`, agent.shell("echo back"), () => renameSync(`${file}-away`, file)),
    );
  const atRead = steps.findIndex(({ name }) => name === "read");
  const restore = (): void => {
    for (const folder of saveFolders(place)) {
      rmSync(folder);
      if (existsSync(`${folder}-away`)) renameSync(`${folder}-away`, folder);
    }
  };
  if (agent.backgroundFile !== undefined) {
    const name = agent.backgroundFile;
    steps.splice(atRead, 0, step("background", agent.shell("echo started; sleep 60", { background: true })), {
      name: "background output",
      tools: agent.shell("").tools,
      input: (seen) => agent.shell(`cat '${name.exec(textOf("background", seen))?.[0] ?? ""}'`).input(seen),
      before: () => sleep(8000),
    });
  }
  if (LONG && agent.rules.length > 0) {
    const spool = join(place.home, ".local/state/spillway/spool");
    const mount = ["-t", "tmpfs", "-o", "size=200k", "tmpfs", spool];
    const fill = () => void spawnSync("mount", mount, { stdio: "ignore" });
    steps.splice(atRead, 0, step("full disk", agent.shell(CASES[1]!.line), fill), {
      ...step("disk again", agent.shell("echo again")),
      before: () => void spawnSync("umount", [spool], { stdio: "ignore" }),
    });
  }
  const [first, ...rest] = otherSteps(agent, place);
  return [...steps, ...(first === undefined ? [] : [{ ...first, before: restore }, ...rest])];
}

/** More than our limit for any agent, and less than any agent cuts itself. */
const OFF_ROWS = Array.from({ length: 900 }, (_, at) => `of it, row ${at + 1}`);

const smallSteps = (agent: Agent): Step[] =>
  Array.from({ length: SMALL_COMMANDS }, (_, at) => step(`${SMALL} ${at}`, agent.shell(`echo done ${at}`)));
const SMALL = "small command";

const installedFolder = ({ home }: Place): string => join(home, ".local/share/spillway");

/** What may be missing while the agent runs. */
function missingParts(place: Place): readonly { readonly name: string; readonly file: string }[] {
  return [
    { name: "the program", file: join(installedFolder(place), "program") },
    { name: "the data folder", file: installedFolder(place) },
    { name: "Node", file: nodeOf(place.home) },
  ];
}

/** Results of tools other than the shell. */
function otherSteps(agent: Agent, { work }: Place): Step[] {
  const log = join(work, "build.log");
  const steps: Step[] = [];
  if (agent.search !== undefined) steps.push(step("search", agent.search(log)));
  if (agent.delegate !== undefined) steps.push(step("delegated", agent.delegate(DELEGATED)));
  const { server } = agent;
  if (server?.find !== undefined) steps.push(step("find", server.find));
  if (server !== undefined && server.tools.length > 0)
    steps.push(step("mcp", { tools: server.tools, input: () => ({}) }));
  return steps;
}

function saveFolders({ home, work }: Place): string[] {
  return [join(work, ".spillway"), join(home, ".local/state/spillway/tool-output")];
}

function step(name: string, call: Pick<ModelCall, "tools" | "input">, before?: () => void): Step {
  return { name, ...call, before };
}

/** Runs the steps and gives each its result by name. */
async function runSession(agent: Agent, spillway: boolean, steps: (place: Place) => readonly Step[]) {
  let names: readonly string[] = [];
  const took: number[] = [];
  let left: readonly string[] = [];
  const end = await runAgent(agent, {
    spillway,
    server: [process.execPath, SERVER],
    arrange: ({ work }) => writeFileSync(join(work, "build.log"), bytesOf(OTHERS[0]!)),
    calls: (place) => {
      const planned = steps(place);
      names = planned.map(({ name }) => name);
      let asked = 0;
      return planned.map((one, at) => ({
        ...one,
        before: async (seen: readonly SeenResult[]) => {
          if (names[at - 1]?.startsWith(SMALL)) {
            took.push(performance.now() - asked);
            left = [...left, ...runningBelow(place.home)];
          }
          await one.before?.(seen);
          asked = performance.now();
        },
      }));
    },
  });
  const find = (name: string): SeenResult | undefined => end.model.seen[names.indexOf(name)];
  const of = (name: string): SeenResult => {
    const seen = find(name);
    if (seen === undefined)
      throw new Error(
        `${agent.title} sent ${end.model.seen.length} of ${names.length} results, not ${name}; it offered ${end.model.missed().join(" ")}.\n${end.printed}`,
      );
    return seen;
  };
  return { end, find, of, took, left };
}

/** Processes of the wrapper that are there. */
function runningBelow(home: string): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "args="], { encoding: "utf8" });
  return stdout.split("\n").filter((args) => args.includes(`${home}/.local`) && /\/(?:front|spool)\b/.test(args));
}

function medianOf(times: readonly number[]): number {
  return Math.round(times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0);
}

function judge(
  agent: Agent,
  one: Case,
  alone: SeenResult | undefined,
  seen: SeenResult,
  { place }: AgentEnd,
): CaseResult {
  const named = SAVED.exec(seen.text)?.[0];
  const id = /(?:artifacts read |"id": ?"|id=")([0-9a-z]{20,})/.exec(seen.text)?.[1];
  const away = [...saveFolders(place), join(place.work, ".agents")];
  const whole = bytesOf(one);
  const files = away.flatMap((folder) => [
    ...filesOf(`${folder}-away`, whole.length - 100),
    ...filesOf(folder, whole.length - 100),
  ]);
  const file = files.find(
    (path) =>
      (named !== undefined && path.endsWith(named.split("/").at(-1)!)) || (id !== undefined && path.includes(id)),
  );
  return {
    name: one.name,
    title: one.title,
    marks: one.marks.length,
    alone: alone && measure(alone, one),
    spillway: measure(seen, one),
    artifactExact: file !== undefined && isWhole(agent, one, readFileSync(file), whole),
    exitKept: one.exitCode === 0 ? seen.failed !== true : tells(agent, seen, one.exitCode),
  };
}

/** What a search or a server answers may have a frame, and the agent may have removed the space around it. */
function isWhole(agent: Agent, one: Case, saved: Buffer, whole: Buffer): boolean {
  return OTHERS.includes(one) || agent.trims === true ? saved.includes(whole.toString().trim()) : saved.equals(whole);
}

function measure({ text }: SeenResult, one: Case): Seen {
  return { bytes: Buffer.byteLength(text), marks: marksIn(text, one.marks.length) };
}

function marksIn(text: string, count: number): number {
  return Array.from({ length: count }, (_, at) => `MARK-${at + 1}`).filter((mark) => text.includes(mark)).length;
}

function tells(agent: Agent, { text }: SeenResult, code: number): boolean {
  return text.includes(agent.sayCode?.(code) ?? `exit code ${code}`);
}

/** The command ran, its output came, and it ended as it does without us; how much is shown is then the agent's own affair. */
function survives(agent: Agent, crashed: SeenResult, plain: SeenResult | undefined): boolean {
  const told = agent.sayCode === undefined || crashed.text.includes(agent.sayCode(101));
  return told && crashed.text.includes("Compiling crate-") && (plain === undefined || crashed.failed === plain.failed);
}

/** Without what differs from run to run. */
function normal({ text }: SeenResult): string {
  return text.replaceAll(/Chunk ID: \w+|Wall time: [\d.]+ seconds|PGID: \d+/g, "…");
}

/** Without their order: an agent that reads two pipes, one for each stream, has none between them even by itself. */
function linesOf(result: SeenResult): string[] {
  return normal(result).split("\n").sort();
}

/** Of an agent that drops standard output: what it shows anyway. */
function smallLines(agent: Agent, result: SeenResult): string[] {
  const lines = linesOf({ ...result, text: result.text.replace("(exit code 4): one\n", "(exit code 4): ") });
  return agent.showsErrorsOnly === true ? lines : linesOf(result);
}

async function tryRules(agent: Agent, version: string): Promise<void> {
  const denied = ["npm test", "npm test # spillway:off"];
  const allowed = ["echo allowed", "echo this too # spillway:off"];
  const unasked = ["touch unasked-ran", "touch unasked-ran # spillway:off"];
  const calls: readonly ModelCall[] = [
    ...[...denied, ...allowed].map((line) => agent.shell(line)),
    ...(agent.server === undefined ? [] : [{ tools: agent.server.tools, input: () => ({}), optional: true }]),
    ...unasked.map((line) => agent.shell(line)),
  ];
  const ends: AgentEnd[] = [];
  for (const some of agent.endsAtDenial === true ? calls.map((call) => [call]) : [calls])
    ends.push(
      await runAgent(agent, {
        spillway: true,
        restricted: true,
        server: [process.execPath, SERVER],
        arrange: ({ work }) => put(work, "package.json", { scripts: { test: "touch denied-ran" } }),
        calls: () => some,
      }),
    );
  const ran = (name: string) => ends.some(({ place }) => existsSync(join(place.work, name)));
  const printed = ends.map((end) => end.printed).join("\n");
  const seen = agent.endsAtDenial === true ? ends.map(({ model }) => model.seen[0]) : ends[0]!.model.seen;
  const made = ends.reduce((sum, { model }) => sum + model.made(), 0);
  const checks: Record<string, boolean> = {};
  if (agent.rules.includes("deny"))
    checks["a denied command stays denied, also with `# spillway:off`"] = !ran("denied-ran");
  if (agent.rules.includes("allow"))
    checks["an allowed one runs unasked, also with it"] = ["allowed", "this too"].every(
      (text, at) => seen[2 + at]?.text.includes(text) === true,
    );
  if (agent.rules.includes("ask")) checks["all else is still asked for"] = !ran("unasked-ran");
  if ((agent.server?.tools.length ?? 0) > 0)
    checks["a denied MCP tool stays denied behind the proxy"] = !ran("server-called");
  const installed = ends.every(({ place }) => existsSync(installedFolder(place)));
  ends.forEach(throwAway);
  expect(installed).toBe(true);
  expect(made, printed).toBeGreaterThan(3);
  for (const [name, held] of Object.entries(checks)) expect.soft(held, name).toBe(true);
  keepResult(agent.host, { title: agent.title, version, cases: [], checks });
}

async function tryConfined(agent: Agent, version: string): Promise<void> {
  const one = CASES[1]!;
  const end = await runAgent(agent, { spillway: true, confined: true, calls: () => [agent.shell(one.line)] });
  const seen = end.model.seen[0] ?? { text: "", failed: undefined };
  const result = judge(agent, one, undefined, seen, end);
  throwAway(end);
  expect(result, `${end.printed}\n${seen.text}`).toMatchObject({ artifactExact: true, exitKept: true });
  expect(result.spillway.marks).toBe(6);
  expect(result.spillway.bytes).toBeLessThanOrEqual(MOST_BYTES);
  keepResult(agent.host, { title: agent.title, version, cases: [], checks: { "the same in its sandbox": true } });
}

async function tryLooks(agent: Agent, version: string): Promise<void> {
  const looks = agent.looks ?? [];
  const end = await runAgent(agent, { spillway: true, calls: () => looks });
  throwAway(end);
  for (const [at, { input, sees }] of looks.entries())
    expect.soft(end.model.seen[at]?.text ?? end.printed, JSON.stringify(input([]))).toMatch(sees);
  const held = looks.every(({ sees }, at) => sees.test(end.model.seen[at]?.text ?? ""));
  const checks = { "a short yield shows what was printed so far, and a command with a terminal runs plainly": held };
  keepResult(agent.host, { title: agent.title, version, cases: [], checks });
}

/** The same agent, with a model of its own, in a line of the shell tool. */
async function tryInside(agent: Agent, version: string): Promise<void> {
  const one = CASES[1]!;
  const model = await startModel([agent.shell(one.line)]);
  const started = (place: Place): string => {
    const { args, env } = agent.start({ ...place, url: model.url }, PROMPT, false);
    const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const command = ["env", "-u", "CLAUDECODE", ...words, ...commandOf(agent), ...args];
    return command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  };
  const end = await runAgent(agent, {
    spillway: true,
    calls: (place) => [agent.shell(`${started(place)} </dev/null`)],
  });
  model.close();
  const seen = model.seen[0] ?? { text: "", failed: undefined };
  const result = judge(agent, one, undefined, seen, end);
  throwAway(end);
  expect(result, `${end.printed}\n${end.model.seen[0]?.text}`).toMatchObject({ artifactExact: true, exitKept: true });
  expect(result.spillway).toMatchObject({ marks: 6 });
  expect(result.spillway.bytes).toBeLessThanOrEqual(MOST_BYTES);
  const checks = { "the same for an agent started inside its shell": true };
  keepResult(agent.host, { title: agent.title, version, cases: [], checks });
}

/** As on a second machine that shares the settings: no program, no data folder. */
async function tryMoved(agent: Agent, version: string): Promise<void> {
  const own = [".local", ".claude/spillway"];
  const end = await runAgent(agent, {
    spillway: true,
    server: [process.execPath, SERVER],
    arrange: ({ home }) => {
      for (const folder of own) rmSync(join(home, folder), { recursive: true, force: true });
    },
    calls: () => [agent.shell("echo still here; exit 4"), agent.shell("seq 1 2500")],
  });
  const [small, large] = end.model.seen;
  throwAway(end);
  expect(small?.text, end.printed).toContain("still here");
  expect(large?.text, end.printed).toContain("2500");
  expect(large?.text).not.toContain("Output truncated:");
  keepResult(agent.host, {
    title: agent.title,
    version,
    cases: [],
    checks: { "commands run where only its settings arrived": true },
  });
}

async function tryRemoval(agent: Agent): Promise<void> {
  const home = temporaryFolder(`remove-${agent.host}`);
  const place = { home, work: home, url: "" };
  put(home, agent.config.file, agent.config.text);
  mkdirSync(join(home, "tmp"));
  const before = filesOf(home, 0);
  const env = cleanEnvironment(home);
  await init(agent, place, env, []);
  expect(filesOf(home, 0).length).toBeGreaterThan(before.length);
  await init(agent, place, env, ["--remove"]);
  expect(readFileSync(join(home, agent.config.file), "utf8")).toBe(agent.config.text);
  const left = filesOf(home, 0).filter((file) => !/\.local\/(share|state)\/spillway/.test(file));
  expect(left).toEqual(before);
}

async function trySwitchedOff(agent: Agent): Promise<void> {
  const one = CASES[0]!;
  const end = await runAgent(agent, { spillway: true, env: { SPILLWAY: "off" }, calls: () => [agent.shell(one.line)] });
  const shown = end.model.seen[0]?.text ?? "";
  const used = await lastUse(agent, end.place);
  throwAway(end);
  expect(used).toMatch(/^never used by/);
  expect(shown).toContain("Compiling crate-");
  expect(shown).not.toContain("Output truncated:");
}
