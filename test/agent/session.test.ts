import { spawnSync } from "node:child_process";
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
import { listDamagedSessions, listSessions } from "../../src/agent/list-sessions.ts";
import { repairSession } from "../../src/agent/repair-session.ts";
import { createSession, readSession, resumeSession } from "../../src/agent/session.ts";
import { bundleScript } from "../support/bundle.ts";
import { mkfifoSync } from "../support/mkfifo.ts";

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

  it("is none, and not a damaged one, when its process is killed while it begins", async () => {
    const script = await bundleScript(`import { createSession } from "src/agent/session.ts";
      const kill = () => process.kill(process.pid, "SIGKILL");
      createSession(process.argv[2]!, { model: "openai/test", depth: 0 }, kill);`);
    const child = spawnSync(process.execPath, [script.path, root]);
    script.remove();
    expect(child.signal).toBe("SIGKILL");
    expect(readdirSync(join(root, ".agents", "sessions")).some((name) => name.startsWith("ses_"))).toBe(true);
    expect(listSessions(root)).toEqual([]);
    expect(listDamagedSessions(root)).toEqual([]);
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
    expect(() => resumeSession(root, session.id)).toThrow(`Line 2 of ${session.path} is not JSON.`);
    writeFileSync(session.path, '{"v":9}\n');
    expect(() => readSession(root, session.id)).toThrow(/schema version 9/);
    expect(readdirSync(dirname(session.path))).toEqual(["events.jsonl"]);
  });

  const line = (seq: number, fact: object) => `${JSON.stringify({ v: 1, seq, at: "x", ...fact })}\n`;
  const call = { type: "tool.call", callId: "c", tool: "T", input: {} };
  const result = {
    type: "tool.result",
    callId: "c",
    tool: "T",
    status: "success",
    output: {},
    before: { bytes: 1, tokens: 1 },
    after: { bytes: 1, tokens: 1 },
    timeMs: 1,
  };

  it.each([
    ["a gap", [line(3, user("x"))], 2, "has seq 3 where 2 has to follow"],
    ["a repetition", [line(2, user("x")), line(2, user("x"))], 3, "has seq 2 where 3 has to follow"],
    ["an unknown type", [line(2, { type: "use" })], 2, 'has the unknown type "use"'],
    ["a type of another prototype", [line(2, { type: "constructor" })], 2, 'has the unknown type "constructor"'],
    ["a list", ["[]\n"], 2, "is not an object"],
    ["a field of another kind", [line(2, { type: "user", text: 5 })], 2, "is user without a text as text"],
    ["a result without its call", [line(2, result)], 2, 'is tool.result of the call "c", which was never made'],
    ["two results", [line(2, call), line(3, result), line(4, result)], 4, 'is a second result of the call "c"'],
    ["a line without end", [`"${"x".repeat(4 << 20)}`], 2, "is longer than the 2000000 bytes"],
    ["an empty line", ["\n"], 2, "is not JSON"],
  ])("finds %s, and a repair keeps what stands before it", (_, lines, at, problem) => {
    const place = mkdtempSync(join(root, "damaged-"));
    const session = createSession(place, start);
    session.close();
    const good = readFileSync(session.path).length + Buffer.byteLength(lines.slice(0, at - 2).join(""));
    appendFileSync(session.path, lines.join(""));
    const damage = { file: session.path, line: at, problem: expect.stringContaining(problem) };
    expect(() => readSession(place, session.id)).toThrow(problem);
    expect(listSessions(place)).toEqual([]);
    expect(listDamagedSessions(place)).toEqual([{ id: session.id, damaged: damage }]);
    const repair = repairSession(place, session.id);
    const droppedBytes = Buffer.byteLength(lines.slice(at - 2).join(""));
    expect(repair).toMatchObject({ damage, keptEvents: at - 1, droppedBytes });
    expect(readFileSync(repair.droppedTo as string, "utf8")).toBe(lines.slice(at - 2).join(""));
    expect(readFileSync(session.path)).toHaveLength(good);
    expect(repairSession(place, session.id)).toMatchObject({ droppedBytes: 0 });
    resumeSession(place, session.id).close();
  });

  it("cannot keep what has no good line, and does not wait for a named pipe", () => {
    const place = mkdtempSync(join(root, "pipe-"));
    const session = createSession(place, start);
    session.close();
    writeFileSync(session.path, line(1, user("x")));
    expect(() => repairSession(place, session.id)).toThrow("is user, where session.start has to stand");
    for (const torn of ["", '{"v":1,"seq":1,"at":"2026-']) {
      writeFileSync(session.path, torn);
      expect(() => repairSession(place, session.id)).toThrow("holds no whole event");
      expect(readFileSync(session.path, "utf8")).toBe(torn);
    }
    rmSync(session.path);
    mkfifoSync(session.path);
    for (const open of [readSession, resumeSession, repairSession])
      expect(() => open(place, session.id)).toThrow(`${session.path} is not a regular file.`);
    expect(listDamagedSessions(place)).toHaveLength(1);
    rmSync(session.path);
    writeFileSync(session.path, "");
    mkfifoSync(join(dirname(session.path), "lock.1"));
    expect(() => resumeSession(place, session.id)).toThrow(/being written by another process/);
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

describe("a session that cannot begin", () => {
  it("is given free again", () => {
    const refuse = () => {
      throw new Error("nobody listens");
    };
    const first = createSession(root, start);
    first.close();
    const { id } = first;
    expect(() => resumeSession(root, id, refuse)).toThrow("nobody listens");
    const session = resumeSession(root, id);
    session.close();
    expect(session.events.at(-1)?.type).toBe("session.resume");
  });
});
