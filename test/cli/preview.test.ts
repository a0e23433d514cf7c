import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { preview } from "../../src/preview/preview.ts";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("preview");
const text = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n");
const mark = createHash("sha256").update(text).digest("hex");
writeFileSync(join(root, "big.txt"), text);
const show = (...args: string[]) => spillway(["preview", ...args], { cwd: root });

describe("spillway preview", () => {
  it("prints what the library gives, from a file or standard input, and saves nothing", async () => {
    const wanted = `${preview(text, { maxBytes: 2000, strategy: "head_tail", mark }).text}\n`;
    const flags = ["--max-bytes", "2000", "--strategy", "head_tail"];
    expect((await show(...flags, "big.txt")).out).toBe(wanted);
    expect((await spillway(["preview", ...flags], { cwd: root, input: text })).out).toBe(wanted);
    expect((await spillway(["preview", ...flags, "-"], { cwd: root, input: text })).out).toBe(wanted);
    expect(readdirSync(root)).toEqual(["big.txt"]);
  });

  it("prints what is within limits byte for byte", async () => {
    const input = Buffer.from([0xff, 0, 10, 13, 10]);
    expect((await spillway(["preview"], { cwd: root, input })).stdout).toEqual(input);
  });

  it("gives exact omissions as JSON", async () => {
    const result = JSON.parse((await show("--json", "--strategy", "tail", "--max-lines", "10", "big.txt")).out);
    expect(result).toEqual(JSON.parse(JSON.stringify(preview(text, { strategy: "tail", maxLines: 10, mark }))));
    expect(result.omissions).toMatchObject([{ lines: 4991, startLine: 1, endLine: 4991 }]);
  });

  it("explains what it kept", async () => {
    const { out } = await show("--explain", "--strategy", "tail", "--max-lines", "10", "big.txt");
    expect(out).toMatch(/^tail: 9 of 5000 lines, \d+ of \d+ bytes kept\nlines 4992-5000 .* tail\n$/);
  });

  it.each([["missing.txt"], ["."]])("says in one sentence that it cannot read %s", async (file) => {
    const result = await show(file);
    expect(result).toMatchObject({ exitCode: 1, out: "" });
    expect(result.err).toMatch(/^spillway: [^\n]*cannot read [^\n]*\n$/i);
  });
});
