import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { createJsonAnalyzer } from "../../../../src/preview/smart/json/create-json-analyzer.ts";
import { expectLaws, roomOf, select } from "../shape-laws.ts";

const report = JSON.stringify(
  Array.from({ length: 200 }, (_, n) => ({
    file: `src/part${n}.js`,
    severity: n === 120 ? "error" : "info",
    message: n === 120 ? "Assigning to rvalue" : "No magic number",
  })),
);

describe("JSON between other lines", () => {
  it("is read as JSON, with the lines before it as they stand", () => {
    const said = 'npm warn Unknown user config "nodedir".\n[lint] 200 files\n';
    const { text, shape } = preview(said + report, { strategy: "smart", maxChars: 1500 });
    expect(shape).toBe("json");
    expect(text.startsWith(said)).toBe(true);
    expect(text).toContain("array of 200 items");
    expect(text).toContain("Assigning to rvalue");
    expectLaws(createJsonAnalyzer, said + report, roomOf(1500));
  });

  it("may be the body of an answer, of whose headers the first are shown", () => {
    const headers = Array.from({ length: 30 }, (_, n) => `x-header-${n}: ${"é".repeat(20)}\r\n`).join("");
    const answer = `HTTP/1.1 503 Service Unavailable\r\n${headers}\r\n${report}\n`;
    const { text, shape } = preview(answer, { strategy: "smart", maxChars: 2000 });
    expect(shape).toBe("json");
    expect(text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\n/);
    expect(text).toMatch(/\n… \d+ lines: \d+-32 …\n\[preview of JSON/);
    expectLaws(createJsonAnalyzer, answer, roomOf(2000));
  });

  it("is followed by what was said after it", () => {
    const said = "npm warn old\n";
    const ended = "\n\nDone in 2.31s — näher\nexit status: 3\n";
    const { text, shape } = preview(said + report + ended, { strategy: "smart", maxChars: 1500 });
    expect(shape).toBe("json");
    expect(text).toContain("Assigning to rvalue");
    expect(text).toMatch(/\nDone in 2\.31s — näher\nexit status: 3$/);
    for (const step of [1, 7, 65_536]) {
      const whole = expectLaws(createJsonAnalyzer, said + report + ended, roomOf(1500));
      expect(select(createJsonAnalyzer, said + report + ended, roomOf(1500), "", step)).toEqual(whole);
    }
  });

  it("is a part of a log where as much is said around it", () => {
    const settings = JSON.stringify(Array.from({ length: 60 }, (_, n) => `setting ${n}`));
    const tests = Array.from({ length: 40 }, (_, n) => `checked part ${n} of the shop\n`).join("");
    for (const output of [`${settings}\n${tests}`, `${tests}${settings}\n`]) {
      expect(preview(output, { strategy: "smart", maxChars: 800 }).shape).toBe("log");
    }
  });

  it("is a log where it ends and other lines go on", () => {
    const log = `starting\n${JSON.stringify({ port: 80 })}\n${"request served\n".repeat(400)}`;
    expect(preview(log, { strategy: "smart", maxChars: 1000 }).shape).toBe("log");
  });
});
