import { cryptoModule } from "../builtin-modules.ts";
import { kinds } from "../limits/options.ts";

const TIME_WIDTH = 9;
const COUNTER_WIDTH = 4;
const RANDOM_WIDTH = 9;
const COUNTER_SIZE = 36 ** COUNTER_WIDTH;
const LAST_TIME = 36 ** TIME_WIDTH - 1;
const ID_PATTERN = /^[0-9a-z]{22}$/;

interface Tick {
  time: number;
  counter: number;
}

const clockTick: Tick = { time: -1, counter: 0 };
const givenTick: Tick = { time: -1, counter: 0 };

/**
 * A new id of 22 lowercase letters and digits: milliseconds, a counter, random. Ids of one process ascend even when its
 * clock is set back; a given `now` (milliseconds since 1970) is carried exactly.
 */
export function createArtifactId(now?: number): string {
  if (now !== undefined) kinds.number(now, "The time for createArtifactId()");
  const tick = now === undefined ? clockTick : givenTick;
  const time = clampTime(now === undefined ? Math.max(Date.now(), tick.time) : now);
  if (time !== tick.time) {
    tick.time = time;
    tick.counter = 0;
  } else {
    tick.counter += 1;
    if (tick.counter === COUNTER_SIZE) {
      tick.time = time + 1;
      tick.counter = 0;
    }
  }
  return encode(tick.time, TIME_WIDTH) + encode(tick.counter, COUNTER_WIDTH) + randomDigits(RANDOM_WIDTH);
}

/** The milliseconds since 1970 that an id carries. */
export function artifactIdTime(id: string): number {
  kinds.text(id, "The id for artifactIdTime()");
  return Number.parseInt(id.slice(0, TIME_WIDTH), 36);
}

/** True when the text has the form of an id. */
export function isArtifactId(text: string): boolean {
  return typeof text === "string" && ID_PATTERN.test(text);
}

/** True when an id of our time may begin so. */
export function mayBeginId(text: string): boolean {
  return /^0[0-9a-z]{3,21}$/.test(text);
}

function clampTime(time: number): number {
  return Math.min(Math.max(Math.floor(time) || 0, 0), LAST_TIME);
}

function encode(value: number, width: number): string {
  return value.toString(36).padStart(width, "0");
}

function randomDigits(count: number): string {
  let digits = "";
  while (digits.length < count) {
    for (const byte of cryptoModule().randomBytes(count)) if (byte < 252) digits += (byte % 36).toString(36);
  }
  return digits.slice(0, count);
}

const TOOL_LENGTH = 48;
const CALL_ID_LENGTH = 64;
const EXTENSION_LENGTH = 10;
const NAME_PATTERN = /^tool_\d{8}_\d{6}_([A-Za-z0-9_-]+)_([0-9a-z]{22})\.([a-z0-9]{1,10})$/;

export interface ArtifactNameParts {
  readonly id: string;
  readonly tool: string;
  readonly callId?: string | undefined;
  readonly extension?: string | undefined;
}

/** The facts that a file name carries; `label` is tool and call id as far as a file name can hold them. */
export interface ParsedArtifactName {
  readonly id: string;
  readonly label: string;
  readonly extension: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The file name of an artifact, legal on Linux, macOS and Windows whatever its parts contain. */
export function createArtifactName(parts: ArtifactNameParts): string {
  kinds.having("an object with tool and id", "tool", "id")(parts, "The parts for createArtifactName()");
  const callId = parts.callId === undefined ? "" : `_${sanitizeCallId(parts.callId)}`;
  const label = `${sanitizeNamePart(parts.tool, TOOL_LENGTH) || "tool"}${callId === "_" ? "" : callId}`;
  return `${nameStamp(artifactIdTime(parts.id))}${label}_${parts.id}.${sanitizeExtension(parts.extension)}`;
}

/** How the names of artifacts of this second begin; milliseconds since 1970. */
export function nameStamp(time: number): string {
  const stamp = new Date(Math.max(0, time)).toISOString().replaceAll(/[-:]/g, "");
  return `tool_${stamp.slice(0, 8)}_${stamp.slice(9, 15)}_`;
}

/** The parts of a file name that is ours by its form; undefined for any other. */
export function parseArtifactName(name: string): ParsedArtifactName | undefined {
  kinds.text(name, "The name for parseArtifactName()");
  const match = NAME_PATTERN.exec(name);
  if (match === null) return undefined;
  const [, label, id, extension] = match as unknown as [string, string, string, string];
  const time = artifactIdTime(id);
  return isArtifactId(id) && name.startsWith(nameStamp(time)) ? { id, label, extension, time } : undefined;
}

/** The id in a file name of ours; empty for any other. */
export function idOf(name: string): string {
  return parseArtifactName(name)?.id ?? "";
}

/** A call id in the form used in file names. */
export function sanitizeCallId(callId: string): string {
  return sanitizeNamePart(callId, CALL_ID_LENGTH);
}

function sanitizeNamePart(text: string, length: number): string {
  return text
    .slice(0, length * 4)
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, length)
    .replaceAll(/[-_]+$/g, "");
}

function sanitizeExtension(extension = "txt"): string {
  return (
    extension
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "")
      .slice(0, EXTENSION_LENGTH) || "txt"
  );
}
