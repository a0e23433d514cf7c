import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillwayArgs } from "../support/mcp-peers.ts";

const run = promisify(execFile);
const ERROR = "error[E0277]: the trait bound `Ledger: Clone` is not satisfied";

function put(home: string, name: string, content: string | readonly unknown[]): string {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    typeof content === "string" ? content : content.map((one) => `${JSON.stringify(one)}\n`).join(""),
  );
  return file;
}

async function spillway(home: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state") };
  return (await run(process.execPath, await spillwayArgs(...args), { env, cwd: home })).stdout;
}

/** A log of a build with one error in the middle. */
function log(): string {
  const rows = Array.from({ length: 4000 }, (_, at) => `   Compiling crate-${at} v0.1.${at % 9} (${at} ms)`);
  return rows.toSpliced(2000, 0, ERROR, "  --> src/close.rs:219:24").join("\n");
}

function call(id: string, name: string, input: object): object {
  return {
    type: "message",
    message: { role: "assistant", content: [{ type: "toolCall", id, name, arguments: input }] },
  };
}

function result(id: string, text: string, details: object = {}): object {
  return {
    type: "message",
    message: { role: "toolResult", toolCallId: id, content: [{ type: "text", text }], details, isError: false },
  };
}

/** A session of pi with a long output, a small one, one that was bounded, a read, and a long one that nobody kept. */
function makeSession(home: string): void {
  const whole = log();
  const kept = put(home, "tmp/pi-bash-1.log", whole);
  put(home, ".pi/agent/sessions/--work--/1.jsonl", [
    call("1", "bash", { command: "cargo build" }),
    result("1", whole.slice(-50_000), { fullOutputPath: kept }),
    call("2", "bash", { command: "ls" }),
    result("2", "a\nb\n"),
    call("3", "bash", { command: "npm test" }),
    result("3", "x\n…1a2b3c 897 lines omitted…\n\n[1a2b3c] Output truncated: 3 of 900 lines shown."),
    call("4", "read", { path: "big.txt" }),
    result("4", "y".repeat(40_000)),
    call("5", "bash", { command: "gone" }),
    result("5", "z".repeat(40_000), { fullOutputPath: join(home, "tmp/removed.log") }),
  ]);
}

describe("spillway discover", () => {
  test("tells which past results were too long and what they hid", async () => {
    const home = temporaryFolder("discover");
    makeSession(home);
    const said = await spillway(home, "discover");
    expect(said).toContain("pi (pi): 5 calls in 1 transcript, 2 would have been bounded, 1 were.");
    expect(said).toContain("1 yes, 0 no, 1 not known");
    expect(said).toContain(`hidden: ${ERROR}\n`);
    expect(said).not.toContain("Claude");
    const { hosts } = JSON.parse(await spillway(home, "discover", "--host", "pi", "--json"));
    expect(hosts[0].tooLong[0]).toMatchObject({
      asked: "cargo build",
      exact: true,
      hidden: { line: ERROR, preview: true },
    });
    expect(hosts[0].tooLong[1]).toMatchObject({ asked: "gone", exact: false });
    expect(hosts[0].tooLong[1]).not.toHaveProperty("hidden");
  });

  test("says so where there is nothing, and refuses what it cannot read", async () => {
    const home = temporaryFolder("discover-none");
    expect(await spillway(home, "discover")).toMatch(/^No transcripts of claude-code, codex, .* in the last 30 days/);
    await expect(spillway(home, "discover", "--host", "cursor")).rejects.toMatchObject({ code: 2 });
    await expect(spillway(home, "discover", "--days", "x")).rejects.toMatchObject({ code: 2 });
  });
});

describe("spillway stats --hosts", () => {
  test("counts against what the agent would have shown by itself, and what was read again", async () => {
    const home = temporaryFolder("host-stats");
    put(home, ".git/HEAD", "");
    expect(await spillway(home, "stats", "--hosts")).toContain("small output passes without a record");
    const output = put(home, "output", log());
    const adopt = ["--adopt", output, "--code", "1"];
    const shown = await spillway(home, "shell", "--host", "pi", ...adopt);
    const saved = /saved to: (\S+)/.exec(shown)?.[1] ?? "";
    expect(saved).toContain("/.spillway/tool-output/");
    put(home, ".pi/agent/sessions/--work--/1.jsonl", [
      call("1", "read", { path: saved }),
      result("1", "r".repeat(700)),
    ]);
    const { hosts } = JSON.parse(await spillway(home, "stats", "--hosts", "--json"));
    expect(hosts).toEqual([
      {
        host: "pi",
        tool: "bash",
        bounded: 1,
        outputBytes: Buffer.byteLength(log()),
        shownBytes: expect.any(Number),
        rereadBytes: 700,
        aloneBytes: 51_320,
      },
    ]);
    const table = await spillway(home, "stats", "--hosts");
    expect(table).toMatch(/^agent +tool +bounded +output +shown +read again +agent alone +against alone$/m);
    expect(table).toMatch(/^pi +bash +1 .* KB less$/m);
  });

  test("never counts a saving against the raw size", async () => {
    const home = temporaryFolder("host-stats-more");
    put(home, ".git/HEAD", "");
    await spillway(home, "shell", "--host", "claude-code", "--adopt", put(home, "output", log()), "--code", "0");
    // Claude Code alone shows the first 2 KB of a success; Spillway shows more, and says so.
    expect(await spillway(home, "stats", "--hosts")).toMatch(/^claude-code +Bash +1 .* not known +2\.2 KB +.* more$/m);
  });
});
