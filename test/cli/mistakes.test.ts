import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { foldHelp } from "../../src/cli/command-line.ts";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("mistakes");
const home = temporaryFolder("mistakes-home");
const run = (...args: string[]) =>
  spillway(args, { cwd: root, env: { HOME: home, XDG_STATE_HOME: join(home, "state"), SPILLWAY_MODEL: "" } });

beforeAll(async () => {
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "folder"));
  await run("run", "-c", "seq 1 3000");
  await run("run", "--name", "second", "-c", "for i in $(seq 1 3000); do echo line $i; done");
});

const latest = async (): Promise<string> => JSON.parse((await run("artifacts", "info", "latest", "--json")).out).id;

describe("a mistake is answered with one sentence, the next step, and an exit code", () => {
  it.each<[args: string[], exitCode: number, says: RegExp]>([
    [["artifacts", "info"], 2, /<id\|path> is missing: id or its beginning.*Usage: spillway artifacts info <id\|path>/],
    [["artifacts", "grep"], 2, /<pattern> is missing.*Usage: spillway artifacts grep <pattern> <id\|path>/],
    [["artifacts", "grep", "x"], 2, /<id\|path> is missing/],
    [["artifacts", "rm"], 2, /<id\|path> is missing: ids/],
    [["explore"], 2, /<path\|id> is missing/],
    [["explore", "latest"], 2, /<question> is missing: what you want to know/],
    [["agent"], 2, /<prompt> is missing/],
    [["sessions", "show"], 2, /<session> is missing.*spillway sessions show --help/],
    [["completion"], 2, /<shell> is missing/],
    [["mcp", "login"], 2, /<url> is missing/],
    [["shell"], 2, /--host.*"spillway shell --help" explains it/],
    [["discover", "nope"], 2, /too many arguments.*"spillway discover --help" explains it/],
    [["artifacts", "lits"], 2, /known: list, .* Did you mean list\?/],
    [["--root", "x"], 2, /options stand after the command/],
    [
      ["artifacts", "read", "latest", "--offset", "999999"],
      1,
      /nothing from line 999999 on: it has 3,000 lines; the last is --offset 3000/,
    ],
    [["artifacts", "read", "latest", "--offset", "3001"], 1, /3,000 lines/],
    [
      ["artifacts", "read", "latest", "--bytes", "99999999-"],
      1,
      /nothing from byte 99999999 on: it has 31,893 bytes|bytes/,
    ],
    [["artifacts", "read", "folder"], 1, /folder.*Name a file in it/],
    [["artifacts", "info", "folder"], 1, /folder/],
    [["artifacts", "grep", "(", "latest"], 2, /the pattern is not a regular expression: unclosed group.*plain text/],
    [["artifacts", "grep", "[z-a]", "latest"], 2, /not a regular expression: invalid character class range/],
    [["artifacts", "grep", "(?<=a)b", "latest"], 2, /not a regular expression: look-around[^(]*\. Put/],
    [["artifacts", "grep", "x{2,1}", "latest"], 2, /not a regular expression/],
    [["artifacts", "grep", "x", "latest", "-C", "-1"], 2, /--context must be a whole number/],
    [["artifacts", "search", "", "latest"], 2, /question is empty/],
    [["artifacts", "search", "zebra", "latest"], 1, /try other words/],
    [["explore", "latest", " "], 2, /question is empty/],
    [["explore", "latest", "zebra quagga"], 1, /Nothing in/],
    [["artifacts", "rm", "nope"], 1, /"spillway artifacts list" lists/],
    [["sessions", "show", "nope"], 1, /no session nope\. "spillway sessions list"/],
    [["sessions", "show", "latest"], 1, /no session yet; "spillway agent" starts one/],
    [["sessions", "resume", "nope"], 1, /"spillway sessions list"/],
    [["config", "NoSuchTool"], 1, /no tool called "NoSuchTool"/],
    [["config", "Reed"], 1, /Did you mean Read\?/],
    [["config", "Gerp", "--json"], 1, /Did you mean Grep/],
    [["ui", "nope"], 1, /no artifact "nope".*"spillway artifacts list"/],
    [["ui", "ses_nope"], 1, /no session ses_nope/],
    [["ui", "folder"], 1, /not an artifact/],
    [["ui", "--export", "x.html"], 2, /--export needs an artifact or session/],
    [["ui", "--export", "x.html", "nope"], 1, /no artifact "nope"/],
    [["ui", "--export", "no/such/x.html", "latest"], 1, /cannot write no\/such\/x\.html: no such/],
  ])("%j", async (args, exitCode, says) => {
    const result = await run(...args);
    expect(result.err).toMatch(says);
    expect(result.err).toMatch(/^spillway: [^\n]+\n$/);
    expect(result.err).not.toMatch(/\brg:|regex parse error|PCRE2|\[object|undefined|at .*\.[mc]?js:/);
    expect(result.exitCode).toBe(exitCode);
  });

  it("shows the limits for any other name all the same", async () => {
    expect((await run("config", "NoSuchTool")).out).toContain("maxLines       2000");
    expect(JSON.parse((await run("config", "NoSuchTool", "--json")).out).tool).toBe("NoSuchTool");
    for (const name of ["Read", "read_file", "Bash"].slice(0, 1)) expect((await run("config", name)).exitCode).toBe(0);
  });
});

describe("ui", () => {
  it("knows latest and the beginning of an id, to open and to export", async () => {
    const id = await latest();
    for (const [at, reference] of ["latest", id.slice(0, -1), id].entries()) {
      const file = join(root, `page-${at}.html`);
      const { exitCode, err } = await run("ui", "--export", file, reference);
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: `spillway: ${file} written\n` });
      const { out } = await spillway(["ui", "--no-open", reference], {
        cwd: root,
        onStart: (child) => child.stdout?.once("data", () => child.kill("SIGTERM")),
      });
      expect(out).toContain(`/outputs/${id}?`);
    }
  });
});

describe("artifacts", () => {
  it("have ls for list", async () => {
    expect((await run("artifacts", "ls")).out).toBe((await run("artifacts", "list")).out);
    expect(JSON.parse((await run("artifacts", "ls", "--name", "second", "--json")).out).total).toBe(1);
    expect((await run("artifacts", "ls", "--name", "none")).out).toContain('called "none"');
  });

  it("show the lines around matches", async () => {
    const { out } = await run("artifacts", "grep", "line (10|12|50|3000)$", "latest", "-C", "2");
    expect(out.split("\n").map((row) => row.replace("line ", ""))).toEqual([
      ...["8-8", "9-9", "10:10", "11-11", "12:12", "13-13", "14-14", "--"],
      ...["48-48", "49-49", "50:50", "51-51", "52-52", "--", "2998-2998", "2999-2999", "3000:3000", ""],
    ]);
    const { context } = JSON.parse((await run("artifacts", "grep", "line 2$", "latest", "-C", "1", "--json")).out);
    expect(context).toEqual([
      { line: 1, text: "line 1" },
      { line: 3, text: "line 3" },
    ]);
    expect((await run("artifacts", "grep", "line 2$", "latest", "-C", "0")).out).toBe("2:line 2\n");
  });

  it("show of a long line around a match only its beginning", async () => {
    const file = join(root, "long.log");
    writeFileSync(file, `${"x".repeat(5000)}\nneedle\nlast\n`);
    const { out } = await run("artifacts", "grep", "needle", file, "--context", "3");
    expect(out).toBe(`1-${"x".repeat(400)}…\n2:needle\n3-last\n`);
  });

  it("are counted but not removed by clean --dry-run", async () => {
    const files = () => readdirSync(join(root, ".agents/tool-output"));
    const before = files();
    const id = (JSON.parse((await run("artifacts", "list", "--json")).out).artifacts as { id: string }[])[0]?.id;
    const { out } = await run("artifacts", "clean", "--dry-run", "--quota", "40000");
    expect(out).toContain("would remove 1, free");
    expect(out).toContain(id);
    const report = JSON.parse((await run("artifacts", "clean", "--dry-run", "--quota", "1", "--json")).out);
    expect(report).toMatchObject({
      dryRun: true,
      folders: [{ removed: [id, await latest()], keptBytes: 0 }, { removed: [] }],
    });
    expect(files()).toEqual(before);
    expect(existsSync(join(root, ".agents/tool-output/.meta", `${id}.json`))).toBe(true);
  });
});

describe("help", () => {
  it.each(["", "run", "agent", "init", "ui", "config", "trust", "proxy", "artifacts grep", "store init", "mcp login"])(
    "of %j has no line above 80 columns",
    async (name) => {
      const { out } = await run(...name.split(" ").filter(Boolean), "--help");
      expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it("loses no word when it is folded, however narrow", () => {
    const text =
      "Words that go on and on, up to the end.\n  spillway run -- npm test   what it does, in some words\n\n  $ cat a | b";
    for (const width of [20, 30, 40, 80]) {
      const folded = foldHelp(text, width);
      expect(folded.replaceAll(" \\\n", " ").replaceAll(/\s+/g, " ")).toBe(text.replaceAll(/\s+/g, " "));
      expect(Math.max(...folded.split("\n").map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  });
});
