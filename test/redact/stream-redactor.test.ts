import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plantedSecrets } from "../../bench/redaction/planted-secrets.mjs";
import { Redaction } from "../../src/redact/redaction.ts";
import { SecretNumbers } from "../../src/redact/secret-numbers.ts";

const secrets = [...plantedSecrets(7)];
const OWN = "value-of-a-variable-3f9c";
const redaction = new Redaction({ patterns: [{ kind: "ticket", pattern: /\bACME-(\d{4,})/ }] }, { DEPLOY_TOKEN: OWN });

/** What comes out when the bytes come in parts that end at these places. */
function inParts(bytes: Uint8Array, cuts: readonly number[]): string {
  const stream = redaction.stream(new SecretNumbers());
  const out: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts.map((part) => part % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    // The buffer is used again after each part, as a pipe's is.
    const part = bytes.slice(from, cut);
    out.push(...stream.write(part).map((piece) => new Uint8Array(piece)));
    part.fill(0x41);
    from = cut;
  }
  out.push(...stream.end());
  return Buffer.concat(out).toString("latin1");
}

const words = fc.constantFrom(
  "password=",
  "token: ",
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "-----END RSA PRIVATE KEY-----",
  "postgres://u:",
  "@host/",
  "Cookie: a=b",
  "ACME-",
  "12345",
  "password: |",
  "- name: DB_PASSWORD",
  '"name": "API_KEY",',
  '"value": "',
  "  value: ",
  "hunter2x9",
  "machine host login user ",
  "password ",
  "curl -u a:",
  " mysql -p",
  "Basic dXNlcjpwYXNz",
  "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpZV0pqTUZweE4xcHhOMXB4TjFweE4xcHhO\n",
  "Z2hwX3gwYUIxY0QyZUYzeDBhQjFjRDJlRjN4MGFCMWNEMmVGM3gwYSBhbmQgbW9yZQ==",
  "sk-",
  "AKIA",
  "eyJ",
  ".",
  "é",
  "\u001b[31m",
  "\r\n",
  "\n",
  " ",
  OWN,
);
const planted = fc.nat(secrets.length - 1).map((index) => secrets[index]?.text ?? "");
const text = fc
  .array(
    fc.oneof(words, planted, fc.string({ maxLength: 30 }), fc.constantFrom("x".repeat(5000), "aB3/".repeat(2500))),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(""));

describe("a stream of chunks", () => {
  it.each([
    "deploy.yaml:12:- name: AUTH_TOKEN\ndeploy.yaml-13-  value: CmtRqxtH6FG6rpXo2Kqv",
    "+- name: AUTH_TOKEN\r\n+  value: CmtRqxtH6FG6rpXo2Kqv",
    '{"name": "AUTH_TOKEN",\n  "value": "CmtRqxtH6FG6rpXo2Kqv"}',
    "  12\tpassword: |\n  13\t  CmtRqxtH6FG6rpXo2Kqv",
  ])("finds what a name announces wherever it is cut: %j", (text) => {
    const bytes = new Uint8Array(Buffer.from(text));
    const whole = inParts(bytes, []);
    expect(whole).not.toContain("CmtRqxtH6FG6rpXo2Kqv");
    for (let cut = 0; cut <= bytes.length; cut++) expect(inParts(bytes, [cut])).toBe(whole);
  });

  it("gives the same in any chunking", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(40_000), { maxLength: 12 }), (whole, cuts) => {
        const bytes = new Uint8Array(Buffer.from(whole));
        expect(inParts(bytes, cuts)).toBe(inParts(bytes, []));
      }),
      { numRuns: 300 },
    );
  });

  it("lets nothing that a pattern finds overtake a secret that is not decided on yet", () => {
    const key = `AKIA${"I6W7B4MBC99TQTV1"}`;
    const whole = `${"x".repeat(5000)}using ${key}password=ACME-12345${"aB3/".repeat(2500)}${"x".repeat(5000)}`;
    const bytes = new Uint8Array(Buffer.from(whole));
    for (const cuts of [[], [3662], [5020], [19_000]]) {
      const shown = inParts(bytes, cuts);
      expect(shown, String(cuts)).not.toContain(key);
      expect(shown, String(cuts)).toContain("ACME-[redacted:ticket#");
    }
  });

  it("gives the same byte by byte", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const bytes = new Uint8Array(Buffer.from(whole)).subarray(0, 3000);
        const everywhere = Array.from({ length: bytes.length }, (_, at) => at);
        expect(inParts(bytes, everywhere)).toBe(inParts(bytes, []));
      }),
      { numRuns: 40 },
    );
  });

  it("changes nothing but the secrets, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const stream = redaction.stream();
        const out = Buffer.concat([...stream.write(bytes), ...stream.end()]);
        if (stream.counts.size === 0) expect(out.equals(bytes)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("lets no pattern's find be overtaken by a value below its name", () => {
    for (const cuts of [[], [20], [30], [45]]) {
      const whole = "machine host\n login ACME-12345\n password topsy\n";
      expect(inParts(new Uint8Array(Buffer.from(whole)), cuts)).toBe(
        "machine host\n login ACME-[redacted:ticket#1]\n password [redacted:password#2]\n",
      );
    }
  });

  it("reads a long line of many names without end in time that grows with it", () => {
    const text = `${'"name":"DB_PASSWORD","value":"x", Cookie: a) BEGIN password=ab) '.repeat(30_000)}`;
    const stream = redaction.stream();
    const out = [...stream.write(Buffer.from(text)), ...stream.end()];
    expect(out.reduce((sum, part) => sum + part.length, 0)).toBe(text.length);
  });

  it("gives every whole line out at once, and holds back only a bounded part of one that does not end", () => {
    const stream = redaction.stream();
    const given = (chunk: string) => stream.write(Buffer.from(chunk)).reduce((sum, part) => sum + part.length, 0);
    expect(given("one line\nanother")).toBe("one line\n".length);
    let held = "another".length;
    for (let round = 0; round < 200; round++) held += 1000 - given("QUJD".repeat(250));
    expect(held).toBeLessThan(20_000);
  });

  it("holds a key's block back until it ends, and one that never ends only so far", () => {
    const stream = redaction.stream();
    const given = (chunk: string) => Buffer.concat(stream.write(Buffer.from(chunk))).toString();
    expect(given("start\n-----BEGIN PRIVATE KEY-----\n")).toBe("start\n");
    let out = "";
    for (let line = 0; line < 400; line++) out += given(`${"A1b2".repeat(16)}\n`);
    expect(out).toContain("[redacted:private-key#1]");
    expect(Buffer.concat(stream.end()).toString()).not.toContain("PRIVATE");
  });
});
