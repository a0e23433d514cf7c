import { describe, expect, it } from "vitest";
import { createGrepAnalyzer } from "../../../../src/preview/smart/grep/create-grep-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

const hits = (path: string, count: number, text: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${path}:${n * 7 + 1}:${text(n)}\n`).join("");

const results =
  hits("docs/guide.md", 80, (n) => `The session token ${n} is described here.`) +
  hits("src/auth/session.ts", 60, (n) => `  use(token, ${n});`) +
  "src/auth/session.ts:500:export function refreshToken(session: Session): Token {\n" +
  hits("src/http/client.ts", 60, (n) => `  send(token, ${n});`) +
  hits("tests/auth.test.ts", 120, (n) => `  expect(token).toBe(${n});`) +
  hits("vendor/lib/token.min.js", 20, () => `var token=${"x".repeat(5000)}`);

describe("grep", () => {
  it("counts everything and shows definitions and source first", () => {
    const { text } = expectLaws(createGrepAnalyzer, results, roomOf(2500));
    expect(text).toMatch(/^\[search results: 341 matches in 5 files; \d+ shown\]/);
    expect(text).toContain("500:export function refreshToken(session: Session): Token {");
    expect(text).toMatch(/^src\/http\/client\.ts … \d+ more: lines 142-201 …$/m);
    const source = text.match(/\b(?:use|send)\(token/g)?.length ?? 0;
    const others = text.match(/expect\(token|session token|var token/g)?.length ?? 0;
    expect(source).toBeGreaterThan(others);
    expect(text).toMatch(/… not shown: .*tests\/ \d+/);
  });

  it("does not go back to a heading whose rows come after another file's", () => {
    const mixed = "src/head.rs\nsrc/b.py-3-def parser():\n\0";
    expectLaws(createGrepAnalyzer, mixed, { ...roomOf(88), lines: 4 });
  });

  it("shows each row under the heading that it stands under, though the file comes again", () => {
    const twice = "src/head.rs\nclass X\n\nsrc/head.rs\n";
    const { text } = expectLaws(createGrepAnalyzer, twice, roomOf(76, { tokens: 40 }));
    expect(text).toBe("[search results: 0 matches in 1 file; 0 shown]\nsrc/head.rs\nclass X");
    const again = "src/a.rs\n1:fn one()\n\nsrc/b.rs\n2:fn two()\n\nsrc/a.rs\n7:fn seven()\n";
    const whole = expectLaws(createGrepAnalyzer, again, roomOf(500));
    expect(whole.text.split("\n").slice(1)).toEqual(again.split("\n").filter((line) => line !== ""));
  });

  it("ranks by the question", () => {
    const asked = "where is it described in the guide which token number 42 is?";
    expect(expectLaws(createGrepAnalyzer, results, roomOf(2500), asked).text).toMatch(/^docs\/guide\.md(?: …|$)/m);
  });

  it("shows all hits of the file that the question names before its test and files that share a word", () => {
    const lines = (path: string): string => hits(path, 25, (n) => `  step(${n});`);
    const all = ["src/a/server.c", "src/b/dhcp.c", "src/dhcp-server.c", "test/dhcp-server_test.c", "src/server/x.c"];
    const { text } = expectLaws(createGrepAnalyzer, all.map(lines).join(""), roomOf(1500), "dhcp-server: wrong step");
    const below = text.slice(text.indexOf("src/dhcp-server.c\n")).split("\n");
    expect(below.slice(1, 26).every((line) => /^\d+: {2}step/.test(line))).toBe(true);
  });

  it("shows what stands beside an answer, and finds files by shortened names", () => {
    const asked = "why is the connection closed before the reply?";
    const around = (path: string, said: string): string =>
      [10, 400, 404, 408, 900].map((at) => `${path}:${at}:${at === 404 ? said : `  step(${at});`}\n`).join("");
    const near = `${around("src/a.c", "  if (reply) closed();")}${hits("src/b.c", 300, (n) => `  step(${n});`)}`;
    const { text } = expectLaws(createGrepAnalyzer, near, roomOf(420), asked);
    expect(text).toMatch(/^src\/a\.c\n(?:\d+:.*\n)*400:.*\n404:.*\n408:/m);
    const named = hits("src/all.c", 300, (n) => `  step(${n});`) + hits("src/conn.c", 3, (n) => `  step(${n});`);
    expect(expectLaws(createGrepAnalyzer, named, roomOf(300), asked).text).toMatch(/^src\/conn\.c\n1:/m);
  });

  it("keeps the heading with its matches, and shortens long lines with exact counts", () => {
    const headed = Array.from(
      { length: 40 },
      (_, n) => `src/f${n}.rs\n12:fn main() {\n13-    let x;\n40:${"y".repeat(900)}\n\n`,
    );
    const { text } = expectLaws(createGrepAnalyzer, headed.join(""), roomOf(1500));
    expect(text).toMatch(/^src\/f\d+\.rs\n12:fn main\(\) \{$/m);
    const long = expectLaws(
      createGrepAnalyzer,
      hits("a.ts", 3, () => "z".repeat(3000)),
      roomOf(1500),
    );
    expect(long.text).toMatch(/^1:z{50,}z* … 2,\d{3} characters …$/m);
  });

  it("believes a file that is full of hits before many that have one", () => {
    const scattered = Array.from({ length: 300 }, (_, n) => `src/page-${n}.ts:9:  read(state, ${n});\n`).join("");
    const { text } = expectLaws(
      createGrepAnalyzer,
      scattered + hits("src/state/machine.ts", 60, (n) => `  this.state = ${n};`),
      roomOf(1500),
    );
    expect(text.match(/this\.state = \d/g)?.length ?? 0).toBeGreaterThan(3);
    expect(text.match(/^src\/page-/gm)?.length ?? 0).toBeGreaterThan(3);
  });

  it("follows the file whose other hits share the question's words", () => {
    const told = "src/clock.ts:40:  // the deadline passes while the lease is renewed, token in hand\n";
    const all =
      hits("src/a.ts", 200, (n) => `  a(token, ${n});`) + told + hits("src/clock.ts", 3, (n) => `  b(token, ${n});`);
    const { text } = expectLaws(
      createGrepAnalyzer,
      all,
      roomOf(600),
      "why is the lease not renewed before its deadline?",
    );
    expect(text).toContain("  b(token, 0);");
  });
});
