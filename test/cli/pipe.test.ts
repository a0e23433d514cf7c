import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
});
