import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { expectEnvelope } from "../support/envelope.ts";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("pipe");
const pipe = (input: string | Uint8Array, ...flags: string[]) => spillway(["pipe", ...flags], { cwd: root, input });
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("spillway pipe", () => {
  it("passes what is within limits byte for byte", async () => {
    const bytes = Buffer.concat([Buffer.from([0, 0xff, 0xfe, 13, 10]), Buffer.from(lines(1999))]);
    const result = await pipe(bytes);
    expect(result).toMatchObject({ exitCode: 0, err: "" });
    expect(result.stdout).toEqual(bytes);
    expect((await pipe("")).out).toBe("");
    expect(existsSync(join(root, ".agents/tool-output"))).toBe(false);
  });

  it("bounds what is over, saves invalid UTF-8 exactly and shows valid text", async () => {
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0x00, 0xfe, 10]),
      Buffer.from(lines(50_000)),
      Buffer.from([0xe6, 0xbc]),
    ]);
    const { stdout, out } = await pipe(bytes, "--name", "../../x", "--call-id", "call_8", "--strategy", "head_tail");
    expect(stdout.length).toBeLessThanOrEqual(51_200);
    expect(Buffer.from(out)).toEqual(stdout);
    const path = /saved to: (\S+)/.exec(out)?.[1] ?? "";
    expect(path).toMatch(/\.agents\/tool-output\/tool_\d{8}_\d{6}_x_call_8_[0-9a-z]+\.txt$/);
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("does not call a success what it cannot see the end of", async () => {
    expect((await pipe(lines(3000))).out).toMatch(/\n\[[0-9a-f]{6}\] Output truncated: [\d,]+ of 3,000 lines, /);
  });

  it("prints an envelope for programs", async () => {
    const { out } = await pipe(lines(3000), "--format", "envelope", "--name", "make");
    const envelope = expectEnvelope(JSON.parse(out));
    expect(envelope).toMatchObject({ status: "partial", context: { params_input: { name: "make" } } });
    expect(envelope.data.truncation).toMatchObject({ direction: "smart", original_lines: 3000 });
  });

  it("finds the answer in the middle", async () => {
    const text = `${lines(3000)}src/a.c:7:1: error: unknown type name 'strnig'\n${lines(3000)}`;
    expect((await pipe(text, "--max-bytes", "4000", "--query", "type name")).out).toContain("strnig");
  });

  it("fails where its input cannot be read", async () => {
    const { bin } = await builtPackage();
    const { status, stderr } = spawnSync("sh", ["-c", 'exec "$0" "$1" pipe <"$2"', process.execPath, bin, root]);
    expect({ status, said: String(stderr) }).toMatchObject({ status: 1, said: expect.stringContaining("EISDIR") });
  });
});

describe.skipIf(!existsSync("/dev/full"))("where nothing can be written", () => {
  it.each([
    [">/dev/full", "echo small", 1],
    [">/dev/full", "seq 100000", 1],
    [">/dev/full", "exit 3", 3],
    ["2>/dev/full", "echo small; exit 3", 3],
  ])("%s: %s ends with one sentence and the code %i", async (where, line, code) => {
    const { bin } = await builtPackage();
    const script = `exec "$0" "$1" run --root "$2" -c "$3" ${where}`;
    const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, bin, root, line]);
    expect(status).toBe(code);
    const said = where.startsWith("2")
      ? ""
      : line === "exit 3"
        ? /exit code 3/
        : /^spillway: cannot write to standard output.*\n$/;
    expect(String(stderr)).toMatch(said);
    expect(String(stderr)).not.toContain("    at ");
  });
});
