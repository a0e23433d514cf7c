import { describe, expect, it } from "vitest";
import { redactInTurns } from "../../src/redact/redact-value.ts";
import { Redaction } from "../../src/redact/redaction.ts";
import { SecretNumbers } from "../../src/redact/secret-numbers.ts";

/** What rules begin to look at, in runs and lines of which none is a secret. */
const FAMILIES = [
  "secret=",
  "password: ",
  "token%3D",
  "xoxb-",
  "eyJ",
  "eyJhbGciOiJ",
  "QUtJQ",
  "Z2hwX",
  "LS0tLS1CRUdJTiA",
  "Authorization: ",
  "set-cookie: a",
  "-----BEGIN RSA PRIVATE KEY-----",
  "AZDO",
  "ACDb",
  " -pass",
  "secret=((",
  "a))",
  "<name>secret</name>",
  "key",
  "a://b:c",
];
const secret = `ghp_${"aB3dE5fG7hJ9".repeat(3)}`;
const redaction = new Redaction();

describe.each(FAMILIES)("in a text full of %j", (unit) => {
  const long = unit.repeat(Math.ceil(40_000 / unit.length));
  const lines = `${unit.repeat(12)}\n`.repeat(200);
  const text = `${long}\n${lines}x ${secret}\n${lines}${long} y ${secret}`;

  it("secrets are found", () => {
    const { text: redacted } = redaction.text(text);
    expect(redacted).not.toContain(secret);
    expect(redacted.match(/\[redacted:github-token#/g)).toHaveLength(2);
  });

  it("the same is found however it is cut", () => {
    const whole = redaction.text(text).text;
    for (const size of [4_093, 32_768]) {
      const stream = redaction.stream(new SecretNumbers());
      const bytes = Buffer.from(text);
      const parts: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) parts.push(...stream.write(bytes.subarray(at, at + size)));
      parts.push(...stream.end());
      expect(Buffer.concat(parts).toString()).toBe(whole);
    }
  });
});

describe("kinds that names and addresses announce", () => {
  it.each([
    `https://api.telegram.org/bot123456789:AA${"Hk3_b9-Xq2L".repeat(3)}/getMe`,
    `PRIVATE_KEY=0x${"4f3edf983ac636a6".repeat(4)}`,
    'psk="Tr0ub4dor&3x"',
  ])("finds %s", (text) => {
    expect(redaction.text(text).counts.size).toBe(1);
  });
});

describe("a hostile value", () => {
  it("is read in steps of 16 KB, between which others have their turn", async () => {
    const text = "secret= ".repeat(40_000);
    let steps = 0;
    for (const work = redaction.steps(text); !work.next().done; ) steps++;
    expect(steps).toBeGreaterThanOrEqual(text.length / 16_384);
    let turns = 0;
    let ended = false;
    const others = () => {
      turns++;
      if (!ended) setImmediate(others);
    };
    setImmediate(others);
    // Three megabytes take longer than one turn may, on any machine.
    await redactInTurns(redaction, { text: text.repeat(10) }, new SecretNumbers());
    ended = true;
    expect(turns).toBeGreaterThan(0);
  });
});
