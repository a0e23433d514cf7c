import { describe, expect, it } from "vitest";
import { randomNumbers } from "../../bench/log-text.mjs";
import { ordinaryLog } from "../../bench/redaction/ordinary-log.mjs";
import { Redaction } from "../../src/redact/redaction.ts";
import { PATTERNS, TOKENS } from "../../src/redact/rules.ts";

const SETS: Readonly<Record<string, string>> = {
  A: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  D: "0123456789",
  U: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  a: "abcdefghijklmnopqrstuvwxyz0123456789",
  h: "0123456789abcdef",
  l: "abcdefghijklmnopqrstuvwxyz",
  b: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  w: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
  p: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#^*_+=?",
};
const redaction = new Redaction();
const random = randomNumbers(11);

/** A line with what stands in braces drawn, and what was drawn. */
function draw(form: string): { readonly line: string; readonly drawn: readonly string[] } {
  const drawn: string[] = [];
  const line = form.replace(/\{([A-Za-z])(\d+)\}/g, (_, set: string, count: string) => {
    const characters = SETS[set]!;
    const body = Array.from({ length: Number(count) }, () => characters[random(characters.length)]);
    drawn.push(body.join(""));
    return body.join("");
  });
  return { line, drawn };
}

const rows = [
  ...TOKENS.flatMap(([kind, keywords, , yes, ...no]) => [
    { kind, yes: keywords.split(" ").map((keyword) => yes.replace(keywords.split(" ", 1)[0]!, keyword)), no },
  ]),
  ...PATTERNS.map(({ kind, yes, no = [] }) => ({ kind, yes, no })),
];
const found = rows.flatMap(({ kind, yes }) => yes.map((form) => [kind, form] as const));
const left = rows.flatMap(({ kind, no }) => no.map((form) => [kind, form] as const));

describe("each line of the table", () => {
  it.each(found)("%s is found in %s", (kind, form) => {
    const kinds = new Map<string, number>();
    let missed = 0;
    for (let round = 0; round < 20; round++) {
      const { line, drawn } = draw(form);
      const { text, counts } = redaction.text(`before\n${line}\nafter\n`);
      if (drawn.some((part) => part.length > 4 && text.includes(part))) missed++;
      else expect(text.startsWith("before\n") && text.endsWith("\nafter\n"), text).toBe(true);
      for (const one of counts.keys()) kinds.set(one, (kinds.get(one) ?? 0) + 1);
    }
    // What is drawn may happen to have no digit, or few different characters.
    expect(missed).toBeLessThanOrEqual(1);
    expect(kinds.get(kind)).toBeGreaterThanOrEqual(18);
  });

  // What is told by a whole line or by its own quotes is looked for where these stand.
  const quotable = found.filter(([, form]) => !/^[{*.]|["']|^\w+\.example/.test(form));
  it.each(quotable)("%s is found in %s, behind newlines in quotes", (kind, form) => {
    let missed = 0;
    for (let round = 0; round < 5; round++) {
      const { line, drawn } = draw(form);
      const plain = redaction.text(`\n${line}\n`);
      const quoted = redaction.text(JSON.stringify({ log: `before\n${line}\r\nafter` }));
      if (plain.counts.size > 0 && quoted.counts.size === 0) missed++;
      else if (plain.counts.size > 0 && drawn.some((part) => part.length > 9 && quoted.text.includes(part))) missed++;
    }
    expect(missed, kind).toBe(0);
  });

  it.each(left)("%s is not found in %s", (_, form) => {
    for (let round = 0; round < 5; round++) {
      const { line } = draw(form);
      expect(redaction.text(`${line}\n`).text).toBe(`${line}\n`);
    }
  });
});

describe("how a token is written", () => {
  const hidden = found.slice(0, TOKENS.length);
  const between = (text: string, what: string) =>
    [...text].map((one, at) => (at % 5 === 3 ? one + what : one)).join("");
  const spelled = (text: string, as: (code: number) => string) =>
    [...text].map((one, at) => (/\w/.test(one) && at % 3 === 0 ? as(one.charCodeAt(0)) : one)).join("");
  const hex = (code: number) => code.toString(16).padStart(2, "0");

  it.each<readonly [string, (token: string) => string]>([
    ["with colour codes in it", (token) => between(token, "\u001b[1;31m")],
    ["with a reset in it", (token) => between(token, "\u001b[m")],
    ["with characters of no width in it", (token) => between(token, "\u200b")],
    ["with joiners in it", (token) => between(token, "\u2060\ufeff")],
    ["with soft hyphens in it", (token) => between(token, "\u00ad")],
    ["with escapes of JSON", (token) => spelled(token, (code) => `\\u00${hex(code)}`)],
    ["with escapes of JSON in JSON", (token) => spelled(token, (code) => `\\\\u00${hex(code)}`)],
    ["with escapes of a shell", (token) => spelled(token, (code) => `\\x${hex(code)}`)],
    ["with escapes of a URL", (token) => spelled(token, (code) => `%${hex(code)}`)],
    ["with entities of HTML", (token) => spelled(token, (code) => `&#${code};`)],
  ])("does not hide it %s", (_, write) => {
    for (const [kind, form] of hidden) {
      if (!/^\w+-?\{/.test(form)) continue;
      const { line, drawn } = draw(form);
      const whole = `x ${write(line)} y\n`;
      const { text, counts } = redaction.text(whole);
      if (counts.size === 0 && redaction.text(`x ${line} y\n`).counts.size === 0) continue;
      expect([...counts.keys()], whole).toEqual([kind]);
      const longest = drawn.reduce((a, b) => (b.length > a.length ? b : a));
      expect(text, whole).not.toContain(longest.slice(5, 12));
    }
  });
});

describe("hostile text", () => {
  /** What a rule begins to look at, of which none is a secret; some lines of the table have a secret of one character. */
  const nearMiss = (form: string) => form.replace(/\{[A-Za-z]\d+\}/g, "aa");
  const units = [
    ...TOKENS.flatMap(([, keywords, , yes]) => [...keywords.split(" "), nearMiss(yes), `${nearMiss(yes)}-`]),
    ...PATTERNS.flatMap(({ keywords, yes }) => [...keywords, ...yes.map(nearMiss)]),
    ...[
      "secret=",
      "password: ",
      "token%3D",
      "token=aaaaaaaaaaaaaaaaaaaaaaaaa",
      "secret=((",
      "a))",
      "key",
      "cookie: a=b",
    ],
    ...["Authorization: ", "Authorization: Digest ", "set-cookie: a", "<name>secret</name>", "password:\n  ", "eyJ"],
    ...["-----BEGIN RSA PRIVATE KEY-----", "machine a login b ", '"name":"DB_PASSWORD",', "ENV X_TOKEN ", "api_key=0x"],
    ...[
      "\\u0067",
      "\u001b[31m",
      "%3D",
      "%3A%2F%2F",
      "&quot;",
      "\u200b",
      "\u001b]0;",
      "Private-Lines: 9\n",
      "secret=a&",
    ],
  ];
  const BYTES = 24_000;
  const repeat = (unit: string) => unit.repeat(Math.ceil(BYTES / unit.length));

  /** Processor time of the best of three. */
  function costOf(text: string): number {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage();
      redaction.text(text);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, user + system);
    }
    return best;
  }

  it.each<readonly [string, (unit: string) => string]>([
    ["in one line", repeat],
    ["with a character between", (unit) => repeat(`${unit}x `)],
    ["with a short value", (unit) => repeat(`${unit}aB3dE5fG7hJ9`)],
    ["in lines", (unit) => repeat(`${unit.repeat(4)}\n`)],
    ["in base64", (unit) => repeat(Buffer.from(unit).toString("base64"))],
  ])("costs a bounded multiple of ordinary text for every keyword %s", (_, write) => {
    const ordinary = Math.max(60, costOf(ordinaryLog(BYTES)));
    // 0.3 s for a megabyte are about 60 times what ordinary text takes; looking at each line from each place takes 1,000.
    const slow = units
      .filter((unit) => costOf(write(unit)) > ordinary * 300)
      .filter((unit) => costOf(write(unit)) > ordinary * 300);
    expect(slow).toEqual([]);
  });
});
