import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { createJsonAnalyzer } from "../../../../src/preview/smart/json/create-json-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

const report = JSON.stringify(
  Array.from({ length: 200 }, (_, n) => ({
    file: `src/part${n}.js`,
    severity: n === 120 ? "error" : "info",
    message: n === 120 ? "Assigning to rvalue" : "No magic number",
  })),
);

describe("JSON after other lines", () => {
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

  it("is a log where it ends and other lines go on", () => {
    const log = `starting\n${JSON.stringify({ port: 80 })}\n${"request served\n".repeat(400)}`;
    expect(preview(log, { strategy: "smart", maxChars: 1000 }).shape).toBe("log");
  });
});
