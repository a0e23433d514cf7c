import { execFileSync, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("stream");
const NOTE = "the output is over the limit";
let bin = "";
let files = 0;

beforeAll(async () => {
  ({ bin } = await builtPackage());
});

const run = (args: readonly string[], line: string) =>
  spillway(["run", ...args, "-c", line], { cwd: root, env: { SPILLWAY: "" } });

/** A line that prints, and goes on only once the test has seen that. */
function waiting(first: string, rest: string): { readonly line: string; readonly go: () => void } {
  const file = join(root, `go-${++files}`);
  return {
    line: `${first}; until [ -e ${file} ]; do sleep 0.05; done; ${rest}`,
    go: () => writeFileSync(file, ""),
  };
}

/** Runs it and lets it go on once `seen` was printed; what had been printed until then, and all of it. */
function follow(command: string, args: readonly string[], seen: string, go: () => void): Promise<[string, string]> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", TERM: "xterm" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let all = "";
  let early = "";
  child.stdout.on("data", (chunk: Buffer) => {
    all += chunk.toString();
    if (early === "" && all.includes(seen)) {
      early = all;
      go();
    }
  });
  return new Promise((resolve) => child.once("close", () => resolve([early, all])));
}

describe("run --stream", () => {
  it("shows each part at once, and within the limits no byte more or less", async () => {
    const { line, go } = waiting("printf 'one\\n\\033[31mtw'", "printf 'o\\377'");
    const [early, all] = await follow(process.execPath, [bin, "run", "--stream", "-c", line], "tw", go);
    expect(early).toBe("one\n\u001b[31mtw");
    expect(all).toBe("one\n\u001b[31mtwo\ufffd");
  });

  it.each([
    ["lines", ["--max-lines", "10"], "seq 1 3; sleep 0.3; seq 4 500", 10],
    ["bytes", ["--max-bytes", "400"], "seq 1 3; sleep 0.3; seq 4 500", 127],
    ["characters", ["--max-chars", "400"], "seq 1 3; sleep 0.3; seq 4 500", 127],
  ])("is quiet after the limit of %s, and ends with the preview", async (_, limit, line, last) => {
    const { out, err } = await run(["--stream", ...limit], line);
    const plain = (await run(limit, line)).out;
    const numbers = Array.from({ length: last }, (_, at) => `${at + 1}\n`).join("");
    expect(out.startsWith(numbers)).toBe(true);
    const id = (text: string) => text.replaceAll(/tool_\d+_\d+_seq_\w+/g, "ID").replaceAll(/\b0m\w{20}\b/g, "ID");
    expect(id(out.slice(numbers.length))).toBe(id(plain));
    expect(err).toContain(NOTE);
    expect(err.split(NOTE).length).toBe(2);
  });

  it("begins the preview on a line of its own", async () => {
    const stream = (limit: readonly string[], { line, go }: ReturnType<typeof waiting>) =>
      follow(process.execPath, [bin, "run", "--stream", ...limit, "-c", line], "half a line", go);
    const [, lines] = await stream(["--max-lines", "5"], waiting("printf 'half a line'", "seq 1 300"));
    expect(lines).toMatch(/^half a line1\n2\n3\n4\n5\nhalf a line1\n/);
    const [, long] = await stream(["--max-bytes", "300"], waiting("printf 'half a line'", "printf 'x%.0s' $(seq 500)"));
    expect(long).toMatch(/^half a line\nhalf a line/);
  });

  it("shows no secret, also not one that comes in two parts", async () => {
    const { out } = await run(
      ["--stream", "--redact"],
      "printf 'token ghp_a1B2c3D4e5F6g7'; sleep 0.2; echo H8i9J0k1L2m3N4o5P6q7R8; echo end",
    );
    expect(out).not.toContain("ghp_");
    expect(out).toMatch(/^token \[redacted:.*\]\nend\n$/);
  });

  it("keeps the exit code and says how it ended", async () => {
    expect(await run(["--stream"], "echo bad; exit 3")).toMatchObject({
      exitCode: 3,
      out: "bad\n",
      err: /exit code 3/,
    });
    const over = await run(["--stream", "--max-lines", "8"], "seq 1 100; exit 4");
    expect(over.exitCode).toBe(4);
    expect(over.out).toContain("ended with exit code 4");
  });

  it.each([["--raw"], ["--json"], ["--format", "envelope"]])("does not go with %s %s", async (...flags) => {
    const result = await run(["--stream", ...flags], "true");
    expect(result).toMatchObject({ exitCode: 2, out: "" });
    expect(result.err).toMatch(/^spillway: --stream and --\w+.* contradict each other\.\n$/);
  });

  it("is off without a terminal", async () => {
    const { out, err } = await run(["--max-lines", "8"], "seq 1 3; sleep 0.2; seq 4 100");
    expect(out.startsWith("1\n2\n")).toBe(true);
    expect(out.split("\n").length - 1).toBeLessThanOrEqual(8);
    expect(err).toBe("");
  });
});

const hasScript = existsSync("/usr/bin/script") && /util-linux/.test(execFileSync("script", ["--version"]).toString());

describe.skipIf(!hasScript)("run on a terminal", () => {
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const onTerminal = (args: readonly string[]) => [
    "-qec",
    [process.execPath, bin, "run", ...args].map(quote).join(" "),
    "/dev/null",
  ];

  it("shows output while it comes, without what could drive the terminal", async () => {
    const { line, go } = waiting("printf '\\033]0;owned\\007first\\nName? '", "printf '\\033[31mAda\\n'");
    const [early, all] = await follow("script", onTerminal(["-c", line]), "Name? ", go);
    expect(early).toBe("first\r\nName? ");
    expect(all).toBe("first\r\nName? Ada\r\n");
  });

  it("draws a line again that was rewritten", async () => {
    const { line, go } = waiting("printf '10 %%\\r'; printf '20 %%'", "printf '\\r100 %%\\nend\\n'");
    const [early, all] = await follow("script", onTerminal(["-c", line]), "20 %", go);
    expect(early.split("\r\u001b[K").at(-1)).toBe("20 %");
    expect(all.split("\r\u001b[K").at(-1)).toBe("100 %\r\nend\r\n");
  });

  it("goes quiet at the limit, and ends with preview and notice", async () => {
    const { line, go } = waiting("seq 1 5", "seq 6 3000");
    const [early, all] = await follow("script", onTerminal(["--max-lines", "20", "-c", line]), "5\r\n", go);
    expect(early).toBe("1\r\n2\r\n3\r\n4\r\n5\r\n");
    const [live, preview] = all.split(new RegExp(`spillway: ${NOTE}[^\\n]*\\n`));
    expect(live).toBe(Array.from({ length: 20 }, (_, at) => `${at + 1}\r\n`).join(""));
    expect(preview).toMatch(/ lines(?: omitted)?: /);
    expect(preview).toContain("Full output");
  });

  it("shows nothing early with --no-stream", async () => {
    const { line, go } = waiting("echo early", "echo late");
    setTimeout(go, 1500);
    const [early] = await follow("script", onTerminal(["--no-stream", "-c", line]), "late", () => undefined);
    expect(early).toMatch(/early\r\nlate/);
  });
});
