import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { SpillwayError } from "../errors.ts";
import { EventCheck, MAX_EVENT_BYTES, type SessionEvent } from "./events.ts";

/** A longer line was not written by any version, and must not be held. */
const MAX_LINE_BYTES = 10 * MAX_EVENT_BYTES;

/** A problem in a session's file, and its position. */
export interface SessionDamage {
  /** Absolute path of `events.jsonl`. */
  readonly file: string;
  /** Counted from 1; 0 when it is the file itself. */
  readonly line: number;
  readonly problem: string;
}

/** Opens a session's file; fails for files that would block or redirect when opened. */
export function openEvents(file: string, mode: "read" | "write"): number {
  const found = lstatSync(file);
  if (!found.isFile()) throw damaged({ file, line: 0, problem: "is not a regular file" });
  const access = mode === "read" ? constants.O_RDONLY : constants.O_RDWR;
  const fd = openSync(file, access | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw damaged({ file, line: 0, problem: "is not a regular file" });
}

/** Whole events with the byte where the line of each ends; throws at the first that makes no sense. A last line without newline is torn and not given. */
export function* readEvents(fd: number, file: string): Generator<{ event: SessionEvent; endByte: number }> {
  const check = new EventCheck();
  let line = 0;
  let endByte = 0;
  for (const bytes of readLines(fd)) {
    line++;
    if (bytes === "too long")
      throw damaged({ file, line, problem: `is longer than the ${MAX_LINE_BYTES} bytes that a line may have` });
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString());
    } catch (cause) {
      throw damaged({ file, line, problem: "is not JSON" }, cause);
    }
    const problem = check.problemOf(value);
    if (problem !== undefined) throw damaged({ file, line, problem });
    endByte += bytes.length + 1;
    yield { event: value as SessionEvent, endByte };
  }
}

function* readLines(fd: number): Generator<Buffer | "too long"> {
  const chunk = Buffer.allocUnsafe(1 << 20);
  let rest = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const got = readSync(fd, chunk, 0, chunk.length, position);
    if (got === 0) return;
    position += got;
    rest = Buffer.concat([rest, chunk.subarray(0, got)]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      yield rest.subarray(start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > MAX_LINE_BYTES) {
      yield "too long";
      return;
    }
  }
}

/** The error with the problem and its remedy. */
export function damaged(damage: SessionDamage, cause?: unknown): SpillwayError {
  const { file, line, problem } = damage;
  const where = line === 0 ? file : `Line ${line} of ${file}`;
  const help = line > 1 ? ' "spillway sessions repair" keeps the lines before it.' : "";
  return new SpillwayError("SESSION_DAMAGED", `${where} ${problem}.${help}`, { details: { ...damage }, cause });
}
