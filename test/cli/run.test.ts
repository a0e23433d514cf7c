import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { loadTokenizer } from "../../src/preview/tokenizer.ts";
import { builtPackage } from "../support/build.ts";
import { expectEnvelope } from "../support/envelope.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type CommandOptions, spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("run");
const run = (args: readonly string[], options: CommandOptions = {}) =>
  spillway(["run", ...args], { cwd: root, ...options });
const shell = (line: string, ...flags: string[]) => run([...flags, "-c", line]);
const artifacts = (folder = root) =>
  existsSync(join(folder, ".agents/tool-output"))
    ? readdirSync(join(folder, ".agents/tool-output")).filter((name) => name.startsWith("tool_"))
    : [];
const savedPath = (text: string) => /Full output(?: saved to)?: (\S+)/.exec(text)?.[1] ?? expect.unreachable(text);

async function whenExists(path: string, act: () => unknown): Promise<void> {
  while (!existsSync(path)) await sleep(20);
  await act();
}

describe("a command within limits", () => {
  it("prints its bytes untouched and saves nothing", async () => {
    const result = await shell("printf 'a\\0\\377b\\r\\n\\033[31mred'");
    expect(result).toMatchObject({ exitCode: 0, err: "" });
    expect(result.stdout).toEqual(Buffer.from("a\0\xffb\r\n\x1b[31mred", "latin1"));
    expect(artifacts()).toEqual([]);
  });

  it("may print nothing", async () => {
    expect(await run(["--", "true"])).toMatchObject({ exitCode: 0, out: "", err: "" });
  });

  it("gives its arguments, input and exit code through", async () => {
    const script =
      "process.stdin.on('data', (d) => process.stdout.write(d)).on('end', () => { console.log(process.argv.slice(1)); process.exitCode = 7; })";
    const result = await run(["--", "node", "-e", script, "--", "--max-lines", "x y", "--help"], { input: "typed\n" });
    expect(result).toMatchObject({ exitCode: 7, out: "typed\n[ '--max-lines', 'x y', '--help' ]\n" });
  });

  it("keeps both streams in arrival order", async () => {
    const { out } = await shell("for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done");
    expect(out).toBe([1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(""));
  });
});

describe("a command over a limit", () => {
  it("prints no more than the limits, notice included, and saves all of it", async () => {
    const { out, exitCode } = await shell("seq 1 100000; exit 3");
    expect(exitCode).toBe(3);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(51_200);
    expect(out.split("\n").length - 1).toBeLessThanOrEqual(2000);
    expect(out).toContain("The tool call failed: `seq 1 100000; exit 3` ended with exit code 3.");
    const path = savedPath(out);
    expect(path).toMatch(/tool_\d{8}_\d{6}_seq_[0-9a-z]+\.txt$/);
    expect(readFileSync(path, "utf8")).toBe(execFileSync("seq", ["1", "100000"], { encoding: "utf8" }));
  });

  it.each(["head", "tail", "head_tail", "smart"])("holds every limit with %s", async (strategy) => {
    for (const [flag, limit] of [
      ["--max-bytes", 700],
      ["--max-lines", 12],
    ] as const) {
      const { out, err } = await run([flag, String(limit), "--strategy", strategy, "--", "seq", "1", "5000"]);
      const size = flag === "--max-lines" ? out.split("\n").length - 1 : Buffer.byteLength(out);
      expect(size).toBeLessThanOrEqual(limit);
      expect(existsSync(savedPath(out + err))).toBe(true);
    }
  });

  it("counts tokens exactly, from the flag or the config file", async () => {
    const countTokens = await loadTokenizer();
    const flag = await run(["--max-tokens", "300", "--", "seq", "1", "5000"]);
    expect(countTokens(flag.out)).toBeLessThanOrEqual(300);
    const configured = temporaryFolder("tokens");
    writeFileSync(join(configured, "spillway.yaml"), "tool_output_limits: {tools: {seq: {max_tokens: 300}}}");
    const file = await run(["--", "seq", "1", "5000"], { cwd: configured });
    expect(countTokens(file.out)).toBeLessThanOrEqual(300);
    expect(countTokens(file.out)).toBeGreaterThan(150);
  });

  it("suggests commands that work", async () => {
    const { out } = await shell("seq 1 100000", "--strategy", "head");
    const [, grep = "", read = ""] =
      /in a shell:\n.*spillway(?:\.mjs)? (artifacts grep .*)\n.*spillway(?:\.mjs)? (artifacts read .*)$/m.exec(out) ??
      expect.unreachable(out);
    const found = await spillway(grep.replace("PATTERN", "^77777$").split(" "), { cwd: root });
    expect(found.out).toMatch(/77777/);
    const next = await spillway(read.split(" "), { cwd: root });
    expect(next.out).toContain("2000");
    expect(next.exitCode).toBe(0);
  });

  it("suggests commands that work in a folder with a space", async () => {
    const odd = join(root, "with space");
    mkdirSync(odd, { recursive: true });
    const { out } = await run(["--root", odd, "--", "seq", "1", "100000"]);
    const [, read = ""] = /spillway(?:\.mjs)? (artifacts read .*)$/m.exec(out) ?? expect.unreachable(out);
    const { bin } = await builtPackage();
    const next = execFileSync("sh", ["-c", `exec node "${bin}" ${read}`], { cwd: root, encoding: "utf8" });
    expect(next.split("\n").length).toBeGreaterThan(100);
  });

  it("says on the other stream what a tiny limit cannot hold", async () => {
    const { out, err } = await run(["--max-bytes", "20", "--strategy", "head", "--", "seq", "1", "5000"]);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(20);
    expect(err).toMatch(/^spillway: \[[0-9a-f]{6}\] The tool call succeeded\. Output truncated: .*\n/);
    expect(existsSync(savedPath(err))).toBe(true);
  });

  it("handles one line of 100 MB without a newline", async () => {
    const { out, exitCode } = await shell("head -c 100000000 /dev/zero | tr '\\0' x", "--name", "wide");
    expect(exitCode).toBe(0);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(51_200);
    expect(out).toMatch(/characters of line 1 omitted: bytes \d+-\d+/);
    const path = savedPath(out);
    expect(readFileSync(path).equals(Buffer.alloc(100_000_000, "x"))).toBe(true);
    rmSync(path);
  });
});

describe("a summary that the config file asks for", () => {
  it("is said to need a model, only of an output that is over the limit", async () => {
    const root = temporaryFolder("summary");
    writeFileSync(join(root, "spillway.yaml"), "tool_output_limits: { default: { truncation_strategy: summarize } }\n");
    const big = await spillway(["run", "--", "seq", "1", "9000"], { cwd: root });
    expect(big.err).toBe(
      "spillway: no summary, because only the agent has a model for it; both ends are shown instead.\n",
    );
    expect(big.out).toMatch(/^1\n/);
    expect((await spillway(["run", "--", "echo", "small"], { cwd: root })).err).toBe("");
    expect((await spillway(["pipe"], { cwd: root, input: "x\n".repeat(9000) })).err).toContain("no summary");
  });
});

describe("formats", () => {
  it("envelope: partial when it ended badly within limits, the exit code in stats", async () => {
    const { out, exitCode } = await run(["--format", "envelope", "-c", "echo hi; exit 4"]);
    expect(exitCode).toBe(4);
    const envelope = expectEnvelope(JSON.parse(out));
    expect(envelope).toMatchObject({
      status: "partial",
      data: { content: "hi\n" },
      text: expect.stringContaining("failed: `echo hi; exit 4` ended with exit code 4."),
      stats: { exit_code: 4 },
      context: { cwd: ".", params_input: { command: "echo hi; exit 4" } },
    });
  });

  it("envelope: partial over a limit, with a path relative to the root", async () => {
    const { out } = await run(["--format", "envelope", "--", "seq", "1", "100000"]);
    const envelope = expectEnvelope(JSON.parse(out));
    expect(envelope.status).toBe("partial");
    const path = (envelope.data.truncation as { full_output_path: string }).full_output_path;
    expect(path).toMatch(/^\.agents\/tool-output\/tool_/);
    expect(existsSync(join(root, path))).toBe(true);
  });

  it("wrapper: raw within limits, the seed's fields above", async () => {
    for (const format of ["wrapper", "json"]) {
      const { out } = await run(["--format", format, "-c", "echo hi; printf '\\377'"]);
      expect(JSON.parse(out)).toEqual({ _openagentic_truncated: false, output: "hi\n\ufffd" });
    }
    const missing = await run(["--json", "--", "no-such-command-at-all"]);
    expect(JSON.parse(missing.out)).toMatchObject({
      _openagentic_truncated: false,
      output: "",
      hint: expect.stringMatching(/^The tool call failed: cannot run "no-such-command-at-all"/),
    });
    expect(missing.exitCode).toBe(127);
    const big = ["--json", "--", "seq", "1", "100000"];
    expect(JSON.parse((await run(big)).out)).toMatchObject({ _openagentic_truncated: true, tool_name: "seq" });
    const { out } = await run([
      "--format",
      "wrapper",
      "--call-id",
      "call_5",
      "--name",
      "Numbers",
      "--",
      "seq",
      "1",
      "100000",
    ]);
    const wrapper = JSON.parse(out);
    expect(Object.keys(wrapper)).toEqual([
      "_openagentic_truncated",
      "reason",
      "tool_name",
      "tool_use_id",
      "original_chars",
      "preview",
      "artifact_path",
      "hint",
    ]);
    expect(wrapper).toMatchObject({ tool_name: "Numbers", tool_use_id: "call_5", original_chars: 588_895 });
    expect(wrapper.artifact_path).toContain("_Numbers_call_5_");
    expect(existsSync(wrapper.artifact_path)).toBe(true);
  });
});

describe("how a command ends", () => {
  it.each([
    [["--", "no-such-command-at-all"], 127, 'cannot run "no-such-command-at-all": no such command.'],
    [["--", "./not-executable"], 126, "permission denied."],
  ])("%j cannot run: exit code %i", async (args, exitCode, sentence) => {
    writeFileSync(join(root, "not-executable"), "x", { mode: 0o644 });
    const result = await run(args);
    expect(result).toMatchObject({ exitCode, out: "" });
    expect(result.err).toMatch(/^spillway: [^\n]*\n$/);
    expect(result.err).toContain(sentence);
  });

  it("gives an error envelope for a command that cannot run", async () => {
    const { out, exitCode } = await run(["--format", "envelope", "--", "no-such-command-at-all"]);
    const envelope = expectEnvelope(JSON.parse(out));
    expect(envelope).toMatchObject({ status: "error", error: { code: "NOT_FOUND" }, stats: { exit_code: 127 } });
    expect(exitCode).toBe(127);
  });

  it.each([
    ["TERM", 143],
    ["KILL", 137],
  ])("by SIG%s gives 128 + its number", async (signal, exitCode) => {
    const result = await shell(`echo before; kill -${signal} $$`);
    expect(result).toMatchObject({ exitCode, out: "before\n" });
    expect(result.err).toBe(
      `spillway: \`echo before; kill -${signal} $$\` was ended by SIG${signal} (exit code ${exitCode}).\n`,
    );
  });

  it("says a bad end on the other stream, so that the output stays the command's own", async () => {
    expect(await run(["--", "sh", "-c", "echo small; exit 7"])).toMatchObject({
      exitCode: 7,
      out: "small\n",
      err: "spillway: `sh -c echo small; exit 7` ended with exit code 7.\n",
    });
    expect((await shell("exit 137", "--raw")).err).toContain("ended with exit code 137 (as after SIGKILL)");
    expect((await shell("echo fine")).err).toBe("");
    const long = await shell(`: ${"x".repeat(500)}\nexit 2`);
    expect(long.err).toMatch(/^spillway: `: x{58}…` ended with exit code 2\.\n$/);
  });

  it("is told within the smallest room that holds it", async () => {
    const { out } = await shell("seq 1 5000; exit 9", "--max-bytes", "300");
    expect(out).toContain("ended with exit code 9");
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(300);
  });

  it("and the place of the whole are told in every room, on the other stream where one does not fit", async () => {
    for (const room of [
      ["--max-bytes", "260"],
      ["--max-bytes", "120"],
      ["--max-bytes", "30"],
      ["--max-tokens", "50"],
      ["--max-lines", "2"],
    ]) {
      const { out, err } = await shell("seq 1 5000; exit 9", ...room);
      expect(`${out}${err}`, room.join(" ")).toContain("exit code 9");
      expect(existsSync(savedPath(`${out}\n${err}`)), room.join(" ")).toBe(true);
    }
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("hands %s on to the command", async (signal) => {
    const name = signal.slice(3);
    const ready = join(root, `ready-${name}`);
    const line = `trap 'echo got ${name}; exit 9' ${name}; touch ${ready}; while :; do sleep 0.05; done`;
    const result = await run(["-c", line], { onStart: (child) => void whenExists(ready, () => child.kill(signal)) });
    expect(result).toMatchObject({ exitCode: 9, out: `got ${name}\n` });
  });

  it("waits for a command that ignores SIGTERM, and ends it with --timeout", async () => {
    const ready = join(root, "ready-patient");
    const line = `trap '' TERM; touch ${ready}; while [ -e ${ready} ]; do sleep 0.05; done; echo survived`;
    const patient = await run(["-c", line], {
      onStart: (child) =>
        void whenExists(ready, async () => {
          child.kill("SIGTERM");
          await sleep(200);
          rmSync(ready);
        }),
    });
    expect(patient).toMatchObject({ exitCode: 0, out: "survived\n" });
    const stubborn = "trap '' TERM; echo begun; while :; do sleep 0.1; done";
    const ended = await run(["--timeout", "3", "--format", "envelope", "-c", stubborn]);
    expect(ended.exitCode).toBe(124);
    const envelope = expectEnvelope(JSON.parse(ended.out));
    expect(envelope).toMatchObject({ status: "partial", data: { timed_out: true, content: "begun\n" } });
    expect(envelope.text).toContain("was ended after 3 s");
    const silent = await run(["--timeout", "0.2", "--format", "envelope", "--", "sleep", "60"]);
    expect(expectEnvelope(JSON.parse(silent.out))).toMatchObject({ status: "error", error: { code: "TIMEOUT" } });
  });

  /** Starts processes in every way a shell knows; all write down their numbers before they sleep. */
  const brood = (folder: string) => {
    mkdirSync(folder);
    const member = (name: string) => `sh -c 'echo $$ > ${folder}/${name}; exec sleep 300'`;
    return `${member("background")} & (${member("orphan")} &) ; sh -c "trap '' TERM INT; ${member("stubborn").replaceAll("$", "\\$")}; :" & ${member("front")}; echo on`;
  };
  const born = (folder: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name), "utf8").endsWith("\n"));
  const isAlive = (pid: number) => {
    try {
      return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  };
  const survivors = (folder: string) =>
    readdirSync(folder).filter((name) => isAlive(Number(readFileSync(join(folder, name), "utf8"))));

  it.runIf(process.platform === "linux")("by --timeout is the end of all that the command started", async () => {
    const folder = join(root, "brood-timeout");
    const result = await run(["--timeout", "4", "-c", brood(folder)]);
    expect(result.exitCode).toBe(124);
    expect(born(folder).sort()).toEqual(["background", "front", "orphan", "stubborn"]);
    expect(survivors(folder)).toEqual([]);
  });

  it.runIf(process.platform === "linux").each(["SIGINT", "SIGTERM"] as const)(
    "by %s is the end of all that the command started",
    async (signal) => {
      const folder = join(root, `brood-${signal}`);
      const line = brood(folder);
      const result = await run(["-c", line], {
        onStart: async (child) => {
          while (born(folder).length < 4) await sleep(20);
          child.kill(signal);
        },
      });
      expect(result.exitCode).toBe(signal === "SIGINT" ? 130 : 143);
      expect(survivors(folder)).toEqual([]);
    },
  );

  it.runIf(process.platform === "linux")("does not touch the next command of a pipeline", async () => {
    const { bin } = await builtPackage();
    const line = `"${process.execPath}" "${bin}" run --timeout 1 -- sleep 60 2>&1 | (sleep 2; cat; echo lives)`;
    expect(execFileSync("sh", ["-c", line], { cwd: root, encoding: "utf8" })).toContain("lives");
  });

  it("takes what a child prints shortly after the end, and says when one prints on", async () => {
    expect((await shell("(sleep 0.2; echo late) & echo early")).out).toBe("early\nlate\n");
    const held = await shell("sleep 5 & echo $!");
    expect(held.err).toBe(
      "spillway: a background process still holds the output open; what it prints from now on is not captured.\n",
    );
    process.kill(Number(held.out));
  });
});

describe("--raw", () => {
  it("passes every byte through as it comes and saves what is over the limit", async () => {
    const { stdout, err, exitCode } = await shell("seq 1 100000; echo bad >&2; exit 5", "--raw");
    expect(exitCode).toBe(5);
    expect(stdout.toString()).toBe(`${execFileSync("seq", ["1", "100000"])}bad\n`);
    expect(readFileSync(savedPath(err)).equals(stdout)).toBe(true);
    expect(err).not.toContain("truncated");
  });

  it("ends a command whose reader has gone", async () => {
    const { bin } = await builtPackage();
    const line = `node "${bin}" run --raw -- yes | head -n 2; echo "status \${PIPESTATUS[0]}"`;
    expect(
      execFileSync("bash", ["-c", line], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    ).toBe("y\ny\nstatus 141\n");
  });
});

describe("usage errors are one sentence and exit code 2", () => {
  it.each([
    [[], "run takes either a command, spillway run -- CMD ARGS…, or a shell line, spillway run -c LINE."],
    [["-c", "true", "--", "true"], "run takes either a command"],
    [["--max-lines", "0", "--", "true"], "--max-lines must be a whole number of at least 1"],
    [["--max-lines", "-5", "--", "true"], '--max-lines must be a whole number of at least 1, such as 2000, not "-5".'],
    [["--max-bytes", "50XB", "--", "true"], "such as 51200 or 50KB"],
    [["--strategy", "summarize", "--", "true"], "needs a model"],
    [["--preset", "gemini", "--", "true"], "Unknown preset"],
    [["--format", "xml", "--", "true"], "--format must be one of text, json, wrapper, envelope"],
    [["--json", "--format", "envelope", "--", "true"], "contradict each other"],
    [["--timeout", "soon", "--", "true"], "--timeout must be a number of seconds above 0"],
    [["--root", "no/such/folder", "--", "true"], "is not a folder"],
    [["--config", "missing.yaml", "--", "true"], "Cannot read the config file"],
    [["--no-such-flag", "--", "true"], "unknown option '--no-such-flag'. \"spillway run --help\" explains it."],
    [
      ["--max-line", "3", "--", "true"],
      "unknown option '--max-line' (Did you mean --max-lines?). \"spillway run --help\"",
    ],
  ])("%j", async (args, sentence) => {
    const result = await run(args);
    expect(result).toMatchObject({ exitCode: 2, out: "" });
    expect(result.err).toMatch(/^spillway: [^\n]*\n$/);
    expect(result.err).toContain(sentence);
  });

  it.each([
    ["TOOL_OUTPUT_MAX_LINES", "0"],
    ["TOOL_OUTPUT_MAX_BYTES", "-1"],
  ])("%s=%s, naming the variable", async (name, value) => {
    const result = await run(["--", "true"], { env: { [name]: value } });
    expect(result).toMatchObject({ exitCode: 2, out: "" });
    expect(result.err).toMatch(new RegExp(`^spillway: ${name} must be [^\n]*\n$`));
  });
});

describe("limits by other means", () => {
  it("takes 1e3, 50KB and presets", async () => {
    expect((await run(["--max-lines", "1e3", "--", "seq", "1", "1000"])).out).toHaveLength(3893);
    expect((await run(["--max-bytes", "1KB", "--", "seq", "1", "1000"])).out.length).toBeLessThanOrEqual(1024);
    const { out } = await run(["--preset", "aider", "--", "seq", "1", "1000"]);
    // 50 and 50 lines, as the preset says; marker and notice come on top.
    expect(out.split("\n").filter((line) => /^\d+$/.test(line))).toHaveLength(100);
    expect(out).toMatch(/^1\n2\n.*…[0-9a-f]{6} [\d,]+ lines/s);
  });

  it("puts TOOL_OUTPUT_DIR and --dir below the root", async () => {
    const base = temporaryFolder("dirs");
    const env = { TOOL_OUTPUT_DIR: "from/env" };
    const fromEnv = await run(["--root", base, "--", "seq", "1", "100000"], { env });
    expect(savedPath(fromEnv.out)).toContain(join(base, "from/env/tool_"));
    const fromFlag = await run(["--root", base, "--dir", "from-flag", "--", "seq", "1", "100000"], { env });
    expect(savedPath(fromFlag.out)).toContain(join(base, "from-flag/tool_"));
  });
});

describe.runIf(process.getuid?.() === 0)("a folder that cannot be written (needs root, to be somebody else)", () => {
  const nobody = 65_534;
  const closed = temporaryFolder("closed");
  chmodSync(closed, 0o555);

  it("costs nothing: the output goes to the user's state folder, and everyone finds it there", async ({ skip }) => {
    const state = temporaryFolder("state");
    chownSync(state, nobody, nobody);
    // A bash that takes its standard input for a connection reads a .bashrc, and root's is not nobody's.
    const asNobody = { cwd: closed, uid: nobody, env: { XDG_STATE_HOME: state, HOME: closed } };
    const result = await run(["-c", "seq 1 100000; exit 6"], asNobody).catch(() => undefined);
    if (result === undefined || /Cannot find module|EACCES[^\n]*node_modules/.test(result.err))
      return skip("the package cannot be read by another user");
    expect(result.exitCode).toBe(6);
    const path = savedPath(result.out);
    expect(path.startsWith(join(state, "spillway", "tool-output"))).toBe(true);
    expect(readFileSync(path, "utf8")).toBe(execFileSync("seq", ["1", "100000"], { encoding: "utf8" }));
    const listed = JSON.parse((await spillway(["artifacts", "list", "--json"], asNobody)).out);
    expect(listed.artifacts.map((each: { path: string }) => each.path)).toEqual([path]);
    const id = listed.artifacts[0].id;
    const read = await spillway(["artifacts", "read", id, "--offset", "50000", "--limit", "1"], asNobody);
    expect(read.out).toBe("50000\n");
  });

  it("costs the artifact, not the command, where there is no other place", async ({ skip }) => {
    const result = await run(["-c", "seq 1 100000; exit 6"], { cwd: closed, uid: nobody, env: { HOME: closed } }).catch(
      () => undefined,
    );
    if (result === undefined || /Cannot find module|EACCES[^\n]*node_modules/.test(result.err))
      return skip("the package cannot be read by another user");
    expect(result.exitCode).toBe(6);
    expect(result.out).toContain("The full output could not be saved: cannot use the artifact folder");
    expect(result.out).toContain("permission denied (EACCES)");
    expect(Buffer.byteLength(result.out)).toBeLessThanOrEqual(51_200);
  });
});
