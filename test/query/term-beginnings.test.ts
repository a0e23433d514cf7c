import { describe, expect, it } from "vitest";
import { termBeginnings } from "../../src/query/relevance.ts";

/** True when one of the beginnings of a term fits the first bytes of a text. */
function fits(term: string, text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  return termBeginnings(term).some((beginning) =>
    beginning.every((values, at) => values === undefined || values.includes(bytes[at] as number)),
  );
}

describe("what a term begins with", () => {
  it("is the same in every case", () => {
    for (const text of ["connection", "Connection", "CONNECTION", "cOnN"]) expect(fits("connect", text)).toBe(true);
    for (const text of ["con", "come", "reconnect"]) expect(fits("connect", text)).toBe(false);
  });

  it("is as short as the term", () => {
    expect(termBeginnings("db")).toEqual([
      [
        [100, 68],
        [98, 66],
      ],
    ]);
  });

  it("knows characters without case by their bytes", () => {
    expect(fits("连接", "连接超时")).toBe(true);
    expect(fits("连接", "进程退出")).toBe(false);
  });

  it("fits every text that is the term in lower case, whatever its characters", () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      const lower = character.toLowerCase();
      if (!/^[\p{L}\p{N}\p{M}]+$/u.test(lower)) continue;
      if (!fits(`a${lower}b`, `a${character}b`)) expect.fail(`U+${point.toString(16)} is not found`);
      // Terms are cut by UTF-16 units.
      if (!fits(`a${lower}`.slice(0, 2), `a${character}`)) expect.fail(`half of U+${point.toString(16)} is not found`);
    }
  });
});
