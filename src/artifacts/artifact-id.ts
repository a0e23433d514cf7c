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
