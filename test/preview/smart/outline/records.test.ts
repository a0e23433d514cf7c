import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const people = (locked: number): string =>
  Array.from(
    { length: 300 },
    (_, n) =>
      `dn: uid=grower${n},ou=orchard\nuid: grower${n}\nmail: g${n}@example.org\nstate: ${n === locked ? "locked" : "active"}\n`,
  ).join("\n");

describe("records", () => {
  it("are parts when they all begin with the same key", () => {
    const { text, shape } = preview(people(200), { strategy: "smart", maxChars: 1500 });
    expect(shape).toBe("outline");
    expect(text).toContain("1,499 lines, 300 parts");
  });

  it("show the one whose state hardly any other has", () => {
    const { text } = preview(people(200), { strategy: "smart", maxChars: 1500 });
    expect(text).toContain("dn: uid=grower200,ou=orchard");
    expect(text).toContain("state: locked");
    expect(preview(people(300), { strategy: "smart", maxChars: 1500 }).text).not.toContain("state: locked");
  });
});
