import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau".split(" ");
const plain = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${WORDS[(n * 7) % 18]} ${WORDS[(n * 13 + 5) % 18]} ${(n * 7919) % 1000}`);

describe("the room that a log leaves over", () => {
  it("goes to both ends where nothing was found", () => {
    const numbers = Array.from({ length: 9000 }, (_, n) => String(n + 1)).join("\n");
    const shown = preview(numbers, { strategy: "smart", maxBytes: 51_200, maxLines: 2000 });
    expect(shown.text.split("\n").length).toBeGreaterThan(1950);
    expect(shown.text).toMatch(/^1\n2\n3\n/);
    expect(shown.text).toMatch(/\n8999\n9000$/);
    for (const maxBytes of [8000, 4096, 1024]) {
      const { text } = preview(plain(20_000).join("\n"), { strategy: "smart", maxBytes });
      expect(text.length).toBeGreaterThan(0.9 * maxBytes);
    }
  });

  it("goes to what stands around the few things that were found, evenly", () => {
    const lines = plain(20_000);
    const places = [4000, 9000, 15_000];
    for (const place of places) lines[place] = `error: cannot open store ${place}`;
    const { text } = preview(lines.join("\n"), { strategy: "smart", maxBytes: 8000 });
    for (const place of places) expect(text).toContain(lines.slice(place - 10, place + 11).join("\n"));
    const tight = preview(lines.join("\n"), { strategy: "smart", maxBytes: 1500 }).text;
    for (const place of places) expect(tight).toContain(lines[place]);
  });

  it("names the steps of a long build", () => {
    const step = (n: number): string[] => [
      `#${n} [base ${n}/9] RUN make ${WORDS[n]}`,
      ...Array.from({ length: 120 }, (_, k) => `#${n} ${k}.120 transforming (${k}) src/part/${WORDS[k % 18]}.ts`),
      `#${n} DONE 6.2s`,
      "",
    ];
    const lines = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(step);
    lines[700] = "#6 3.120 src/cart.ts:14:3: error: cannot find name 'total'";
    const { text } = preview(lines.join("\n"), { strategy: "smart", maxBytes: 4096 });
    expect(text).toContain("src/cart.ts:14:3: error");
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) expect(text).toContain(`#${n} [base ${n}/9] RUN make ${WORDS[n]}`);
  });

  it("is kept from being read as a document by lines that begin alike", () => {
    const fetched = Array.from(
      { length: 300 },
      (_, n) => `npm http fetch GET 200 https://registry.example/${WORDS[n % 18]} ${n}ms (cache miss)`,
    );
    fetched[150] = "npm warn deprecated request@2.88.2: this package is no longer supported";
    const text = [
      ...fetched,
      "",
      "added 812 packages, and audited 813 packages in 21s",
      "",
      "To address all issues, run:",
      "  npm audit fix",
    ].join("\n");
    const shown = preview(text, { strategy: "smart", maxBytes: 8000 });
    expect(shown.shape).not.toBe("prose");
    expect(shown.text).toContain("request@2.88.2");
  });
});

describe("one long line under a limit of tokens", () => {
  const bytes = Array.from({ length: 60_000 }, (_, n) => (n * n * 31 + n) % 251);
  it.each([
    ["numbers", bytes.join(" ")],
    ["Chinese", "数据库连接失败，请检查配置".repeat(5000)],
  ])("is shown in part: %s", (_, text) => {
    for (const maxTokens of [200, 500, 2000]) {
      const { text: shown, omissions } = preview(text, { strategy: "smart", maxTokens });
      const left = omissions.reduce((sum, one) => sum + one.bytes, 0);
      expect(Buffer.byteLength(text) - left).toBeGreaterThan(maxTokens / 2);
      expect(shown.length).toBeGreaterThan(maxTokens / 4);
    }
  });
});
