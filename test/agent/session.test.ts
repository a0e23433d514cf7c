import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_EVENT_BYTES, type SessionFact } from "../../src/agent/events.ts";
import { listSessions } from "../../src/agent/list-sessions.ts";
import { createSession, readSession, resumeSession } from "../../src/agent/session.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spillway-session-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const start = { model: "openai/test", depth: 0 };
const user = (text: string): SessionFact => ({ type: "user", text });

describe("a session", () => {
  it("is one JSON object a line, numbered, with a schema version", () => {
    const session = createSession(root, start);
    session.append(user("one"), user("two"));
    session.close();
    const lines = readFileSync(session.path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => [line.v, line.seq, line.type])).toEqual([
      [1, 1, "session.start"],
      [1, 2, "user"],
      [1, 3, "user"],
    ]);
    expect(statSync(session.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(session.path)).mode & 0o777).toBe(0o700);
  });

  it("goes on where it was left", () => {
    const first = createSession(root, start);
    first.append(user("one"));
    first.close();
    const second = resumeSession(root, first.id);
    second.append(user("two"));
    second.close();
    expect(readSession(root, first.id).map((event) => event.type)).toEqual([
      "session.start",
      "user",
      "session.resume",
      "user",
    ]);
    expect(second.start.model).toBe("openai/test");
  });

  it("loses only the torn line, wherever the tear is", () => {
    const session = createSession(root, start);
    session.append(user("kept"));
    session.close();
    const whole = readFileSync(session.path);
    const line = Buffer.from(`${JSON.stringify({ v: 1, seq: 3, at: "x", type: "user", text: "日本" })}\n`);
    for (let cut = 0; cut < line.length; cut++) {
      writeFileSync(session.path, Buffer.concat([whole, line.subarray(0, cut)]));
      const resumed = resumeSession(root, session.id);
      resumed.close();
      const events = readSession(root, session.id);
      expect(events.map((event) => event.type)).toEqual(["session.start", "user", "session.resume"]);
      expect(events[2]).toMatchObject({ seq: 3, recoveredBytes: cut });
    }
  });

  it("names the damaged line instead of guessing", () => {
    const session = createSession(root, start);
    session.close();
    appendFileSync(session.path, "not json\n");
    expect(() => resumeSession(root, session.id)).toThrow(/line 2 is not JSON/);
    writeFileSync(session.path, '{"v":9}\n');
    expect(() => readSession(root, session.id)).toThrow(/schema version 9/);
    expect(readdirSync(dirname(session.path))).toEqual(["events.jsonl"]);
  });

  it("never writes a line above the cap, whatever it is given", () => {
    const session = createSession(root, start);
    const deep = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
    const wide = (depth: number): unknown =>
      depth === 0 ? "x".repeat(40) : Array.from({ length: 40 }, () => wide(depth - 1));
    const inputs: unknown[] = [
      "\u0001".repeat(1_000_000),
      { content: "é".repeat(3_000_000) },
      Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])),
      Array.from({ length: 300_000 }, (_, index) => index),
      wide(3),
      deep,
      { ["k".repeat(500_000)]: 1 },
    ];
    for (const input of inputs) session.append({ type: "tool.call", callId: "c", tool: "T", input });
    session.append(user("😀".repeat(200_000)));
    session.close();
    const lines = readFileSync(session.path, "utf8").split("\n");
    for (const line of lines) expect(Buffer.byteLength(line) + 1).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(readSession(root, session.id)).toHaveLength(inputs.length + 2);
    expect(lines.join("")).toContain("more characters left out");
  });

  it("keeps the cap and stays readable for any JSON", () => {
    const session = createSession(root, start);
    let appended = 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(300_000), (input, repeat) => {
        appended++;
        session.append({ type: "tool.call", callId: "c", tool: "T", input: [input, "\n".repeat(repeat)] });
      }),
      { numRuns: 60 },
    );
    session.close();
    for (const line of readFileSync(session.path, "utf8").split("\n")) {
      expect(Buffer.byteLength(line) + 1).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    }
    expect(readSession(root, session.id)).toHaveLength(appended + 1);
  });

  it("is not found by a path or an unknown id", () => {
    expect(() => readSession(root, "../../etc")).toThrow(/no session/);
    expect(() => resumeSession(root, "ses_none")).toThrow(/no session/);
  });

  it("is listed with its prompt and how it ended", () => {
    const older = createSession(root, start);
    older.append(user("first question"), { type: "turn.end", reason: "done" });
    older.close();
    const newer = createSession(root, {
      ...start,
      agent: "explore",
      parent: { session: older.id, callId: "c1" },
      depth: 1,
    });
    expect(listSessions(root)).toMatchObject([
      { id: newer.id, agent: "explore", writer: process.pid, parent: { session: older.id } },
      { id: older.id, prompt: "first question", lastEnd: "done", events: 3 },
    ]);
    newer.close();
    const broken = createSession(root, start);
    broken.close();
    writeFileSync(broken.path, "{\n");
    expect(listSessions(root)).toHaveLength(2);
    expect(existsSync(join(root, ".agents/sessions/.gitignore"))).toBe(true);
  });
});
