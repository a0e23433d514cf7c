import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { governResponse } from "../../src/gate/observation.ts";
import { ObservationTruncator } from "../../src/gate/observation-truncator.ts";
import { renderEnvelope } from "../../src/gate/render/envelope.ts";
import { renderMessage } from "../../src/gate/render/notice.ts";
import { renderWrapper } from "../../src/gate/render/wrapper.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { Governed } from "../../src/gate/types.ts";
import { SecretNumbers } from "../../src/redact/secret-numbers.ts";
import { temporaryFolder } from "../support/folder.ts";

/** Made here, so that no file of the project holds what looks like one. */
const token = (mark: string) => `ghp_${`${mark}0aB1cD2eF3`.repeat(4).slice(0, 36)}`;
const secret = token("x");
const PLACEHOLDER = "[redacted:github-token#1]";
const long = (around: string) => `${"line of a log\n".repeat(3000)}${around}\n${"more of it\n".repeat(3000)}`;

/** Everything below a folder as one text. */
function allFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

async function artifactOf(governed: Governed): Promise<string> {
  if (governed.kind !== "bounded" || !("artifact" in governed.storage)) throw new Error("no artifact");
  return readFileSync(governed.storage.artifact.path, "utf8");
}

describe("a gate that redacts", () => {
  it("keeps secrets in a tool's name and a call's id from results, file names, manifests and statistics", async () => {
    const root = temporaryFolder("redact-names");
    const gate = createSpillway({ root, redact: true });
    const governed = await gate.govern(long("end"), { tool: `t-${secret}`, callId: `c-${secret}` });
    await gate.keep({ value: { a: 1 } }, { tool: `t-${secret}`, callId: `c-${secret}` });
    await gate.flush();
    expect(JSON.stringify(governed)).not.toContain(secret);
    expect(allFiles(root)).not.toContain(secret);
    expect(readdirSync(root, { recursive: true }).join("\n")).not.toContain(secret);
    expect(allFiles(root)).toContain("c-[redacted:github-token#1]");
  });

  it("replaces secrets in what is within limits: text, bytes and values, each counted", async () => {
    const gate = createSpillway({ root: temporaryFolder("redact-whole"), redact: true });
    const redacted = { "github-token": 1 };
    expect(await gate.govern(`a ${secret} b`)).toMatchObject({ kind: "whole", text: `a ${PLACEHOLDER} b`, redacted });
    const bytes = await gate.govern(Buffer.from(`a ${secret} b`));
    expect(bytes).toMatchObject({ kind: "whole", text: `a ${PLACEHOLDER} b`, redacted });
    expect(Buffer.from(bytes.kind === "whole" ? (bytes.bytes ?? []) : []).toString()).not.toContain(secret);
    const value = await gate.govern({ value: { note: secret, password: "q7Zp0Lw2Rt" } });
    expect(value).toMatchObject({
      kind: "whole",
      value: { note: PLACEHOLDER, password: "[redacted:password#2]" },
      redacted: { "github-token": 1, password: 1 },
    });
    expect(JSON.stringify(gate.stats())).toContain('"redacted":{"github-token":3,"password":1}');
  });

  it("replaces them before the first byte reaches preview, artifact, manifest and statistics", async () => {
    const root = temporaryFolder("redact-bounded");
    const gate = createSpillway({ root, redact: true });
    const text = long(`error: bad token ${secret}`);
    const sources = [text, Buffer.from(text), { value: { log: text } }, inChunks(text)];
    for (const source of sources) {
      const governed = await gate.govern(source, { query: "bad token" });
      expect(await artifactOf(governed)).toContain(PLACEHOLDER);
      expect(governed.redacted).toEqual({ "github-token": 1 });
      expect(JSON.stringify(governed)).toContain(PLACEHOLDER);
    }
    await gate.keep(`beside ${secret}`);
    await gate.flush();
    const everything = allFiles(root);
    expect(everything).not.toContain(secret);
    expect(everything.match(/"redacted":\s*\{\s*"github-token":\s*1\s*\}/g)?.length).toBeGreaterThanOrEqual(8);
  });

  it("takes them out of the ending and the question too, in every rendering and in manifests", async () => {
    const root = temporaryFolder("redact-ending");
    const gate = createSpillway({ root, redact: true });
    const failed = { kind: "failure", message: `401: bad token ${secret}` } as const;
    const broken = async function* () {
      yield long("cut");
      throw new Error(`connection of ${secret} lost`);
    };
    for (const source of [
      gate.govern("short", { outcome: failed }),
      gate.govern(long("x"), { outcome: failed, query: `who used ${secret}` }),
      gate.govern(long("x"), { outcome: { kind: "success", cutShort: `stopped at ${secret}` } }),
      gate.govern(new Error(`bad token ${secret}`, { cause: new Error(`token ${secret}`) })),
      gate.govern({ rows: Array.from({ length: 5000 }, () => "row") }, { outcome: failed }),
      gate.govern(broken()),
      gate.govern(new Response("no", { status: 401, statusText: `bad ${secret}` })),
      gate.exec("sh", ["-c", `echo used ${secret}; exit 3`]),
      gate.exec(`: ${"x".repeat(20)} ${secret}; exit 3`),
    ]) {
      const governed = await source;
      const base = { root, stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };
      const shown = [renderMessage(governed), renderEnvelope(governed, base), renderWrapper(governed), governed];
      expect(JSON.stringify(shown)).not.toMatch(/ghp_/);
      expect(JSON.stringify(shown)).toContain(PLACEHOLDER);
    }
    await gate.keep("beside", { cutShort: `stopped at ${secret}` });
    await gate.flush();
    expect(allFiles(root)).not.toMatch(/ghp_/);
  });

  it("finds a secret that chunks cut, also in a text that is never whole in memory", async () => {
    const store = createMemoryStore();
    const gate = createSpillway({ root: temporaryFolder("redact-cut"), store, redact: true });
    const capture = await gate.capture({ maxBytes: 1000 });
    const text = long(secret);
    for (let at = 0; at < text.length; at += 7) await capture.write(text.slice(at, at + 7));
    const governed = await capture.finish();
    if (governed.kind !== "bounded" || !("artifact" in governed.storage)) throw new Error("no artifact");
    let saved = "";
    for await (const chunk of store.read(governed.storage.artifact.id)) saved += Buffer.from(chunk).toString();
    expect(saved).toBe(text.replace(secret, PLACEHOLDER));
  });

  it("numbers per result, or through a session that shares its numbers", async () => {
    const gate = createSpillway({ root: temporaryFolder("redact-numbers"), redact: true });
    const texts = async (secrets?: SecretNumbers) => {
      const first = await gate.govern(token("a"), { secrets });
      const second = await gate.govern(`${token("b")} ${token("a")}`, { secrets });
      return [first, second].map((one) => (one.kind === "whole" ? one.text : ""));
    };
    expect(await texts()).toEqual(["[redacted:github-token#1]", "[redacted:github-token#1] [redacted:github-token#2]"]);
    expect(await texts(new SecretNumbers())).toEqual([
      "[redacted:github-token#1]",
      "[redacted:github-token#2] [redacted:github-token#1]",
    ]);
  });

  it("takes them out of an envelope, paged by its tool or not", async () => {
    const gate = createSpillway({ root: temporaryFolder("redact-envelope"), redact: true });
    for (const skip of [true, false]) {
      const { response } = await governResponse(gate, "Read", {
        status: "success",
        data: { content: `x ${secret}` },
        text: `Read ${secret}.`,
        stats: { time_ms: 1 },
        context: { cwd: ".", params_input: {}, ...(skip ? { truncation_skip: true } : {}) },
      });
      expect(response).toMatchObject({ data: { content: `x ${PLACEHOLDER}` }, text: `Read ${PLACEHOLDER}.` });
    }
    expect(gate.stats().Read?.redacted).toEqual({ "github-token": 4 });
  });

  it("takes them out of what skips truncation", async () => {
    const truncator = new ObservationTruncator({ root: temporaryFolder("redact-skip"), redact: true });
    const context = { cwd: ".", params_input: {}, truncation_skip: true };
    const response = { status: "success", data: { content: secret }, text: "Read.", stats: { time_ms: 1 }, context };
    for (const given of [response, JSON.stringify(response)])
      expect(await truncator.truncate("Read", given)).toEqual({ ...response, data: { content: PLACEHOLDER } });
    const harmless = { ...response, data: { content: "nothing" } };
    expect(await truncator.truncate("Read", harmless)).toEqual(harmless);
  });

  it("takes a value apart that is too deep for JSON", async () => {
    const gate = createSpillway({ root: temporaryFolder("redact-deep"), redact: true });
    let value: unknown = { note: secret };
    for (let depth = 0; depth < 200_000; depth++) value = [value];
    expect(JSON.stringify(await gate.govern({ value }, { maxBytes: 2000 }).then((one) => one.size))).toBeDefined();
    const circular: Record<string, unknown> = { note: secret };
    circular.self = circular;
    expect(await gate.govern({ value: circular })).toMatchObject({ kind: "whole", redacted: { "github-token": 1 } });
  });

  it("is off unless it is asked for, by option or config file", async () => {
    const root = temporaryFolder("redact-off");
    expect(await createSpillway({ root }).govern(secret)).toMatchObject({ text: secret });
    expect(await createSpillway({ root, redact: false }).govern(secret)).toMatchObject({ text: secret });
    expect(() => createSpillway({ root, redact: "yes" as never })).toThrow(/redact must be true, false or a mapping/);
    expect(() => createSpillway({ root, redact: { patterns: { "A B": "x" } } })).toThrow(/a kind is made of/);
  });

  it("knows the user's patterns, exceptions and environment", async () => {
    const gate = createSpillway({
      root: temporaryFolder("redact-own"),
      env: { ACME_TOKEN: "plain-value-42" },
      redact: { patterns: { ticket: /ACME-(\d+)/ }, allow: [secret] },
    });
    expect(await gate.govern(`ACME-77 ${secret} plain-value-42`)).toMatchObject({
      text: `ACME-[redacted:ticket#1] ${secret} [redacted:env-acme-token#2]`,
    });
  });
});

async function* inChunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 4099) yield bytes.subarray(at, at + 4099);
}
