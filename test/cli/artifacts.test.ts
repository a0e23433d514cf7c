import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalStore, type Manifest } from "../../src/artifacts/index.ts";
import { type CommandResult, spillway } from "../support/spillway-command.ts";

let root: string;
let log: Manifest;
let other: Manifest;
const LINES = 30_000;
const text = Array.from({ length: LINES }, (_, at) =>
  at + 1 === 21_000 ? "ERROR: linker failed: undefined symbol größe" : `step ${at + 1} of the build`,
).join("\n");

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "spillway-cli-artifacts-"));
  log = await save(".agents/tool-output", { tool: "make", callId: "toolu/01" }, text);
  other = await save(
    "tool-output",
    { tool: "Read", extension: "json" },
    `{"a": "${"x".repeat(3_000_000)}needle${"y".repeat(7_000_000)}"}`,
  );
  await writeFile(join(root, "plain.log"), "one\ntwo\nthree\n");
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function save(
  dir: string,
  request: { tool: string; callId?: string; extension?: string },
  content: string,
): Promise<Manifest> {
  const writer = await createLocalStore({ root, dir }).create(request);
  await writer.write(Buffer.from(content));
  return writer.finish({ complete: true });
}

const artifacts = (...args: string[]): Promise<CommandResult> => spillway(["artifacts", ...args, "--root", root]);
const answer = async (...args: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await artifacts(...args, "--json")).out);

describe("spillway artifacts list", () => {
  it("shows both folders, oldest first", async () => {
    const { out, err, exitCode } = await artifacts("list");
    expect([exitCode, err]).toEqual([0, ""]);
    const rows = out.trim().split("\n");
    expect(rows.map((row) => row.split(" ")[0])).toEqual([log.id, other.id]);
    expect(rows[0]).toContain(`.agents/tool-output/${log.name}`);
    expect(rows[0]).toContain("30,000 lines");
  });

  it("answers as JSON, by tool, and bounded", async () => {
    expect(await answer("list")).toMatchObject({ total: 2, artifacts: [{ id: log.id }, { id: other.id }] });
    expect(await answer("list", "--name", "Read")).toMatchObject({ total: 1, artifacts: [{ id: other.id }] });
    expect((await artifacts("list", "--limit", "1")).out).toMatch(/^1 older not shown; --all shows every one\n/);
  });

  it("says when there are none", async () => {
    const { out, exitCode } = await artifacts("list", "--dir", "nowhere");
    expect([out, exitCode]).toEqual(["No artifacts in nowhere.\n", 0]);
  });
});

describe("the command that printed an output", () => {
  it("is in list and info, on one line in the one and whole in the other", async () => {
    const at = await mkdtemp(join(tmpdir(), "spillway-cli-command-"));
    const line = "seq 1 5000 |\n  cat";
    await spillway(["run", "--root", at, "-c", line]);
    await spillway([
      "run",
      "--root",
      at,
      "--redact",
      "--",
      "bash",
      "-c",
      "seq 1 5000 # ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    ]);
    await spillway(["pipe", "--root", at, "--command", "make all"], { input: text });
    const { out } = await spillway(["artifacts", "list", "--root", at]);
    expect(out.split("\n").map((row) => row.split("  $ ")[1])).toEqual([
      "seq 1 5000 | cat",
      expect.stringMatching(/^bash -c 'seq 1 5000 # (?!ghp_)/),
      "make all",
      undefined,
    ]);
    const { artifacts: rows } = JSON.parse((await spillway(["artifacts", "list", "--root", at, "--json"])).out);
    expect(rows[0].command).toBe(line);
    const info = await spillway(["artifacts", "info", rows[0].id, "--root", at]);
    expect(info.out).toMatch(/^command\s+seq 1 5000 \|\n {2,}cat\n/m);
    expect(info.out).toMatch(/^shown\.strategy\s+smart$/m);
    expect(info.out).toMatch(/^shown\.outcome\.kind\s+success$/m);
    expect(info.out).not.toContain("[object");
    await rm(at, { recursive: true });
  });
});

describe("spillway artifacts info", () => {
  it("takes id, name, path and call id", async () => {
    for (const reference of [
      log.id,
      log.name,
      join(root, ".agents/tool-output", log.name),
      `.agents/tool-output/${log.name}`,
      "toolu/01",
    ]) {
      expect(await answer("info", reference)).toMatchObject({
        id: log.id,
        callId: "toolu/01",
        lines: LINES,
        complete: true,
      });
    }
  });

  it("tells size and lines of any file", async () => {
    expect(await answer("info", "plain.log")).toMatchObject({ bytes: 14, lines: 3 });
  });
});

describe("spillway artifacts read", () => {
  it("reads all of it in as many parts as it says, each byte once", async () => {
    const parts: Buffer[] = [];
    let calls = 1;
    for (let part = 1; part <= calls; part++) {
      const { stdout, err } = await artifacts("read", log.id, "--all", "--part", `${part}`, "--max-bytes", "200KB");
      parts.push(stdout);
      const told = /part (\d+) of (\d+); (\d+) more calls? to read all\. Continue with --all --part (\d+)/.exec(err);
      if (part === 1) calls = Number(told?.[2]);
      if (part < calls) expect(told?.slice(3)).toEqual([`${calls - part}`, `${part + 1}`]);
      else expect(err).toBe("");
    }
    expect(calls).toBeGreaterThan(1);
    expect(Buffer.concat(parts)).toEqual(
      (await artifacts("read", log.id, "--bytes", "0-", "--max-bytes", "1GB")).stdout,
    );
    expect((await artifacts("read", log.id, "--part", "2")).err).toContain("--part needs --all");
    expect((await artifacts("read", log.id, "--all", "--offset", "2")).exitCode).toBe(2);
  });

  it("gives lines, and says on standard error how to go on", async () => {
    const { out, err, exitCode } = await artifacts("read", log.id, "--offset", "20999", "--limit", "2");
    expect(out).toBe("step 20999 of the build\nERROR: linker failed: undefined symbol größe\n");
    expect(err).toBe("spillway: lines 20999-21000 of 30000; continue with --offset 21001\n");
    expect(exitCode).toBe(0);
  });

  it("stays within 2,000 lines and 51,200 bytes", async () => {
    const { out, stdout } = await artifacts("read", log.id);
    expect(out.split("\n").length - 1).toBeLessThanOrEqual(2000);
    expect(stdout.length).toBeLessThanOrEqual(51_200);
    const long = await artifacts("read", other.id);
    expect(long.stdout.length).toBe(51_200);
    expect(long.err).toBe("spillway: line 1 continues; read the rest with --bytes 51200-\n");
  });

  it("gives exact bytes", async () => {
    const whole = Buffer.from(text);
    const start = whole.indexOf("größe") + 3;
    const { stdout } = await artifacts("read", log.id, "--bytes", `${start}-${start + 2}`);
    expect(stdout).toEqual(whole.subarray(start, start + 2));
    const wide = await artifacts("read", log.id, "--bytes", `0-${whole.length}`, "--max-bytes", "10MB");
    expect(createHash("sha256").update(wide.stdout).digest("hex")).toBe(log.sha256);
    expect(await answer("read", log.id, "--bytes", `${start}-${start + 1}`)).toMatchObject({
      text: "ö",
      totalBytes: whole.length,
    });
  });

  it("pages a long line by bytes to its end", async () => {
    const { stdout, err } = await artifacts("read", other.id, "--bytes", "9990000-");
    expect(stdout.length).toBe(other.bytes - 9_990_000);
    expect(err).toBe("");
    expect((await artifacts("read", other.id, "--bytes", "99999999-")).err).toMatch(
      /^spillway: nothing from byte 99999999 on: it has [\d,]+ bytes\n$/,
    );
  });

  it("reads any file", async () => {
    expect((await artifacts("read", "plain.log", "--offset", "2")).out).toBe("two\nthree\n");
    expect((await artifacts("read", "plain.log", "--offset", "9")).err).toMatch(
      /nothing from line 9 on: it has 3 lines/,
    );
  });
});

describe("spillway artifacts grep", () => {
  it("gives line numbers and counts", async () => {
    const { out, err } = await artifacts("grep", "STEP 2999\\d", "toolu/01", "-i", "--limit", "2");
    expect(out).toBe("29990:step 29990 of the build\n29991:step 29991 of the build\n");
    expect(err).toBe("spillway: 10 matches in 10 lines; shown are the first 2\n");
  });

  it("shows the place inside a long line", async () => {
    const { out } = await artifacts("grep", "needle", other.id);
    expect(out).toMatch(/^1@3000007:…x+needley+…\n$/);
    expect(out.length).toBeLessThan(500);
  });

  it("exits 1 without a match and 2 for a pattern that is none", async () => {
    expect(await artifacts("grep", "absent", log.id)).toMatchObject({ exitCode: 1, out: "" });
    expect(await artifacts("grep", "(", log.id)).toMatchObject({ exitCode: 2, out: "" });
  });
});

describe("spillway artifacts search and explore", () => {
  it("ranks passages", async () => {
    const { out } = await artifacts("search", "why did the linker fail", log.id);
    expect(out).toContain(`.agents/tool-output/${log.name}:21000  (words: linker, fail`);
    expect(out).toContain("> 21000 ERROR: linker failed: undefined symbol größe\n");
    expect(await artifacts("search", "zebra", "plain.log")).toMatchObject({ exitCode: 1, out: "" });
  });

  it("concludes with evidence", async () => {
    const { out, exitCode } = await spillway(["explore", log.id, "why did the linker fail?", "--root", root]);
    expect(exitCode).toBe(0);
    expect(out).toContain(
      `Evidence:\n- .agents/tool-output/${log.name}:21000: ERROR: linker failed: undefined symbol größe\n`,
    );
    const json = JSON.parse((await spillway(["explore", "plain.log", "two?", "--root", root, "--json"])).out);
    expect(json).toMatchObject({ evidence: [{ pointer: "plain.log:2", quote: "two" }] });
  });
});

describe("spillway artifacts verify, clean, rm", () => {
  it("colours nothing in a pipe, also in CI; where it is asked to, it does", async () => {
    const args = ["artifacts", "verify", log.id, "--root", root];
    const asked = { NO_COLOR: "", CI: "true" };
    expect((await spillway(args, { env: asked })).out).toMatch(/^ok {2}/);
    expect((await spillway(args, { env: { ...asked, FORCE_COLOR: "1" } })).out).toContain("\u001b[32mok");
  });

  it("finds damage, and exits 1", async () => {
    const damaged = await save("tool-output", { tool: "Bad" }, "original");
    expect(await artifacts("verify", damaged.id, log.id)).toMatchObject({ exitCode: 0 });
    await writeFile(join(root, "tool-output", damaged.name), "0riginal");
    const { out, exitCode } = await artifacts("verify");
    expect(exitCode).toBe(1);
    expect(out).toContain(`failed  tool-output/${damaged.name}: its content changed`);
    expect(out).toContain("3 checked, 1 failed\n");
    expect(await artifacts("rm", damaged.id)).toMatchObject({
      exitCode: 0,
      out: `removed tool-output/${damaged.name}\n`,
    });
    expect((await artifacts("rm", damaged.id)).exitCode).toBe(1);
  });

  it("cleans by age and quota, and keeps what is young", async () => {
    expect((await artifacts("clean")).out).toMatch(
      /^\.agents\/tool-output: removed 0, .*\ntool-output: removed 0, .*\n$/,
    );
    const quota = await artifacts("clean", "--dir", "tool-output", "--quota", "1KB", "--json");
    expect(JSON.parse(quota.out)).toMatchObject({ folders: [{ dir: "tool-output", removed: [other.id] }] });
    expect((await readdir(join(root, "tool-output"))).filter((name) => name.startsWith("tool_"))).toEqual([]);
  });
});

describe("an artifact can be named in short", () => {
  it("as the latest, or by the beginning of its id", async () => {
    const save = async (now: number): Promise<string> => {
      const store = createLocalStore({ root, dir: "short", now: () => now });
      return (await (await store.create({ tool: "make" })).finish({ complete: true })).id;
    };
    const time = Date.parse("2026-11-15T12:00:00Z");
    const [first, second] = [await save(time), await save(time + 1)];
    const named = async (reference: string) => (await answer("info", reference, "--dir", "short")).id;
    expect(await named("latest")).toBe(second);
    expect(await named(first.slice(0, 9))).toBe(first);
    expect(await artifacts("info", first.slice(0, 8), "--dir", "short")).toMatchObject({
      exitCode: 2,
      err: `spillway: 2 artifacts begin with ${first.slice(0, 8)}; give more of the id, or "latest".\n`,
    });
  });
});

describe("what is wrong is said in one sentence", () => {
  it.each([
    [
      ["read", "nothing-here"],
      1,
      'no artifact "nothing-here" in .agents/tool-output or tool-output, and no such file. "spillway artifacts list" lists what there is.',
    ],
    [
      ["grep", "four\\|five", "plain.log"],
      1,
      "no match in plain.log. Unlike in basic grep, a backslash makes | ( ) { } + and ? ordinary characters here. If you meant the operators, write four|five",
    ],
    [["grep", "-F", "four\\|five", "plain.log"], 1, "no match in plain.log"],
    [["rm", "plain.log"], 1, "plain.log is a file, but not an artifact of Spillway's."],
    [
      ["read", "plain.log", "--bytes", "x"],
      2,
      '--bytes must be A-B or A-, from 0 and B not included, such as 0-4096, not "x".',
    ],
    [
      ["read", "plain.log", "--bytes", "1-2", "--limit", "3"],
      2,
      "--bytes cannot be combined with --offset or --limit.",
    ],
    [["read", "plain.log", "--offset", "0"], 2, "--offset must be a whole number of at least 1, not 0."],
    [
      ["read"],
      2,
      '<id|path> is missing: id or its beginning, "latest", file name, call id or path. Usage: spillway artifacts read <id|path>. "spillway artifacts read --help" explains it.',
    ],
    [
      ["nonsense"],
      2,
      'unknown command artifacts "nonsense"; known: list, info, read, grep, search, query, verify, clean, rm.',
    ],
    [["clean", "--retention-days", "-1"], 2, '--retention-days must be a number of days above 0, not "-1".'],
  ])("%j", async (args, exitCode, message) => {
    const result = await artifacts(...args);
    expect(result).toMatchObject({ exitCode, out: "", err: `spillway: ${message}\n` });
  });

  it("helps with examples", async () => {
    const { out, exitCode } = await spillway(["artifacts", "grep", "--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Examples:\n  spillway artifacts grep 'error|warning' ID -i\n");
    expect((await spillway(["artifacts"])).exitCode).toBe(0);
  });
});
