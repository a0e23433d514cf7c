import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const people = (locked: number): string =>
  Array.from(
    { length: 300 },
    (_, n) =>
      `dn: uid=grower${n},ou=orchard\nuid: grower${n}\nmail: g${n}@example.org\nstate: ${n === locked ? "locked" : "active"}\n`,
  ).join("\n");

describe("records of small keys", () => {
  it("are records when they all begin with the same key", () => {
    const { text, shape } = preview(people(200), { strategy: "smart", maxChars: 1500 });
    expect(shape).toBe("records");
    expect(text).toContain("300 records by dn");
  });

  it("show the one whose state hardly any other has", () => {
    const { text } = preview(people(200), { strategy: "smart", maxChars: 1500 });
    expect(text).toContain("dn: uid=grower200,ou=orchard · state: locked");
    expect(preview(people(300), { strategy: "smart", maxChars: 1500 }).text).not.toContain("grower200,ou=orchard ·");
  });

  it("are settings when each part begins with another", () => {
    const parts = Array.from({ length: 300 }, (_, n) => `part${n}: on\n  size: ${n}\n  colour: green\n`);
    expect(preview(parts.join("\n"), { strategy: "smart", maxChars: 1500 }).shape).not.toBe("records");
  });
});
