import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("stats");
const inRoot = (...args: string[]) => spillway(args, { cwd: root });

describe("spillway stats", () => {
  it("adds up every run and shows rate and reduction per tool", async () => {
    expect((await inRoot("stats")).out).toMatch(/^No calls recorded yet/);
    await inRoot("run", "--name", "numbers", "--", "seq", "1", "100000");
    await inRoot("run", "--name", "numbers", "--", "echo", "small");
    await inRoot("run", "--name", "constructor", "--", "echo", "small");
    const { out } = await inRoot("stats", "--json");
    expect(JSON.parse(out).tools).toMatchObject({
      numbers: { calls: 2, truncated: 1, truncationRate: 0.5, bytesBefore: 588_901 },
      constructor: { calls: 1, truncated: 0 },
    });
    const table = (await inRoot("stats")).out.split("\n");
    expect(table[0]).toMatch(/^tool +calls +truncated +output +shown +saved +tokens saved \(estimate\)$/);
    expect(table[1]).toMatch(/^numbers +2 +1 \(50 %\) +575\.1 KB +[\d.]+ KB +9\d\.\d % +[\d,]+$/);
    expect(table[2]).toMatch(/^constructor +1 +none +6 B +6 B +nothing +0$/);
    expect(table[3]).toMatch(/^all +3 +1 \(33 %\) /);
  });

  it("says so when a notice was longer than what it saved", async () => {
    const small = temporaryFolder("small-stats");
    await spillway(["run", "--max-lines", "8", "--", "seq", "1", "9"], { cwd: small });
    expect((await spillway(["stats"], { cwd: small })).out).toMatch(
      /\nseq +1 +1 \(100 %\) +18 B +\d+ B +\d+ B more +-\d+\n/,
    );
  });

  it("finds the counts from any folder of the project, and those of a folder below", async () => {
    const project = temporaryFolder("project-stats");
    mkdirSync(join(project, ".git"));
    mkdirSync(join(project, "a", ".agents"), { recursive: true });
    writeFileSync(join(project, "a", ".agents/stats.jsonl"), '{"counters": {"below": {"calls": 1}}}\n');
    await spillway(["run", "--", "seq", "1", "9000"], { cwd: join(project, "a") });
    const { out } = await spillway(["stats", "--json"], { cwd: join(project, "a") });
    expect(Object.keys(JSON.parse(out).tools).sort()).toEqual(["below", "seq"]);
  });

  it("passes over lines it cannot read", async () => {
    const other = temporaryFolder("broken-stats");
    mkdirSync(join(other, ".agents"));
    writeFileSync(
      join(other, ".agents/stats.jsonl"),
      '{"counters": {"a": {"calls": 1, "x": "y"}}}\n{"counters": {"a"\n\n',
    );
    const { out } = await spillway(["stats", "--json"], { cwd: other });
    expect(JSON.parse(out)).toEqual({ tools: { a: { calls: 1, savedTokens: 0, truncationRate: 0 } } });
  });
});

describe("spillway config", () => {
  const project = temporaryFolder("config");
  writeFileSync(
    join(project, "spillway.yaml"),
    "tool_output_limits: {default: {max_lines: 500, strategy: tail}, tools: {grep: {max_lines: 100}}}\nartifacts: {retention_days: 3}\n",
  );
  const config = async (args: readonly string[], env: Record<string, string> = {}) =>
    JSON.parse((await spillway(["config", "--json", ...args], { cwd: project, env })).out);

  it("shows each value with where it came from", async () => {
    const env = { TOOL_OUTPUT_MAX_BYTES: "10KB", TOOL_OUTPUT_DIR: "out" };
    expect(await config(["grep", "--max-chars", "9"], env)).toEqual({
      root: project,
      file: join(project, "spillway.yaml"),
      userFile: null,
      tool: "grep",
      aliases: [],
      ignored: [],
      values: {
        maxLines: { value: 100, from: "file tools.grep" },
        maxBytes: { value: 10_240, from: "environment" },
        maxChars: { value: 9, from: "call" },
        maxTokens: { value: "no limit", from: "built-in" },
        strategy: { value: "tail", from: "file default" },
        dir: { value: "out", from: "environment" },
        retentionDays: { value: 3, from: "file artifacts" },
        quotaBytes: { value: "no limit", from: "built-in" },
      },
    });
  });

  it("knows a built-in tool by all of its names, and what is usual for each", async () => {
    const read = await config(["read_file"]);
    expect(read.aliases).toEqual(["Read"]);
    expect(read.values.maxLines).toEqual({ value: 200, from: "built-in for read_file" });
    expect(read.values.maxChars).toEqual({ value: 5000, from: "built-in for read_file" });
    const other = temporaryFolder("config-alias");
    writeFileSync(join(other, "spillway.yaml"), "tool_output_limits: {tools: {grep_search: {max_lines: 7}}}\n");
    const { out } = await spillway(["config", "Grep"], { cwd: other });
    expect(out).toContain("tool           Grep, also grep_search\n");
    expect(out).toMatch(/^maxLines +7 +file tools\.grep_search$/m);
  });

  it("prints the same for people", async () => {
    const { out, exitCode } = await spillway(["config"], { cwd: project });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^maxLines +500 +file default$/m);
    expect(out).toMatch(/^maxBytes +51200 +built-in$/m);
  });

  it("names file and key of a mistake, exit code 2", async () => {
    const file = join(project, "broken.yaml");
    writeFileSync(file, "tool_output_limits: {default: {max_lines: 0}}");
    const result = await spillway(["config", "--config", file], { cwd: project });
    expect(result).toMatchObject({ exitCode: 2, out: "" });
    expect(result.err).toBe(
      `spillway: ${file}: tool_output_limits.default.max_lines must be a whole number of at least 1, not 0.\n`,
    );
  });
});

describe("spillway doctor", () => {
  it("finds everything in order, and checks the folder that is really used", async () => {
    const project = temporaryFolder("doctor");
    writeFileSync(join(project, "spillway.yaml"), "artifacts: {dir: kept/here}");
    const { out, exitCode } = await spillway(["doctor", "--json"], { cwd: project });
    const { checks } = JSON.parse(out);
    expect(checks.map(({ name }: { name: string }) => name)).toEqual([
      "node",
      "config",
      "root",
      "artifacts",
      "ripgrep",
    ]);
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(existsSync(join(project, "kept/here"))).toBe(true);
    expect(existsSync(join(project, ".agents"))).toBe(false);
  });

  it("says what is wrong, exit code 1", async () => {
    const project = temporaryFolder("ill");
    writeFileSync(join(project, "spillway.yaml"), "tool_output_limits: 5");
    mkdirSync(join(project, ".agents"));
    writeFileSync(join(project, ".agents/tool-output"), "a file");
    chmodSync(join(project, ".agents"), 0o700);
    const { out, exitCode } = await spillway(["doctor"], { cwd: project });
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^FAIL config +.*spillway\.yaml: tool_output_limits must be a mapping/m);
    expect(out).toMatch(/^FAIL artifacts /m);
    expect(out).toMatch(/^ok +node /m);
  });
});

describe("spillway", () => {
  it("explains itself and every command", async () => {
    const help = await inRoot("--help");
    expect(help.exitCode).toBe(0);
    for (const name of ["run", "pipe", "preview", "stats", "config", "doctor"])
      expect(help.out).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
    const run = await inRoot("run", "--help");
    expect(run).toMatchObject({ exitCode: 0, err: "" });
    expect(run.out).toMatch(/Examples:\n {2}\$ spillway run/);
    for (const flag of ["--root", "--dir", "--config", "--strategy", "--max-tokens", "--preset", "--format", "--raw"])
      expect(run.out).toContain(flag);
    expect((await inRoot("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each("run pipe preview artifacts explore tool agent sessions proxy mcp init stats config trust doctor".split(" "))(
    "%s --help names the options that every command has, in words",
    async (name) => {
      const help = await inRoot(name, "--help");
      expect(help).toMatchObject({ exitCode: 0, err: "" });
      for (const flag of ["--root <dir>", "--dir <dir>", "--config <file>"]) expect(help.out).toContain(flag);
      expect(help.out).not.toContain("default: []");
    },
  );

  it("answers an unknown command with one sentence, exit code 2", async () => {
    const say = (name: string, guess: string) => ({
      exitCode: 2,
      out: "",
      err: `spillway: unknown command "${name}".${guess} "spillway --help" lists the commands.\n`,
    });
    expect(await inRoot("rnu")).toMatchObject(say("rnu", " Did you mean run?"));
    expect(await inRoot("prev")).toMatchObject(say("prev", " Did you mean preview?"));
    expect(await inRoot("xylophone")).toMatchObject(say("xylophone", ""));
  });
});
