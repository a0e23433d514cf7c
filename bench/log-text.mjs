import { closeSync, openSync, writeSync } from "node:fs";

const LEVELS = ["INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR"];
const WORDS =
  "request cache user session retry connect timeout module compile link test passed queue worker shard index commit lock read write open close route handler token value batch flush node pod volume image layer".split(
    " ",
  );

/** Numbers that look random and are the same in every run. */
export function randomNumbers(seed = 1) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Log text of about `bytes` bytes: lines from 0 to 1,200 characters, most of them short, a few not ASCII. */
export function logText(bytes, seed = 1) {
  const random = randomNumbers(seed);
  const pick = (list) => list[random(list.length)];
  const lines = [];
  let length = 0;
  for (let number = 1; length < bytes; number++) {
    const line = logLine(number, random, pick);
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

function logLine(number, random, pick) {
  const kind = random(1000);
  if (kind < 20) return "";
  if (kind < 25) return `  ✓ ${pick(WORDS)} ${pick(WORDS)} → ${random(900)} ms`;
  if (kind < 27) return JSON.stringify({ number, rows: Array.from({ length: 20 + random(100) }, () => random(1e9)) });
  if (kind < 80)
    return `    at ${pick(WORDS)}.${pick(WORDS)} (src/${pick(WORDS)}/${pick(WORDS)}.ts:${random(900)}:${random(80)})`;
  const words = Array.from({ length: 3 + random(12) }, () => pick(WORDS)).join(" ");
  const time = new Date(1.7e12 + number * 37).toISOString();
  return `${time} ${pick(LEVELS)} [${pick(WORDS)}-${random(64)}] ${words} id=${random(1e9).toString(16)} took=${random(5000)}ms`;
}

/** Writes log text of exactly `bytes` bytes: a block of 32 MB again and again. */
export function writeLogFile(path, bytes) {
  const block = Buffer.from(logText(Math.min(bytes, 32 * 1024 * 1024)));
  const fd = openSync(path, "w");
  for (let left = bytes; left > 0; left -= block.length) writeSync(fd, block.subarray(0, Math.min(left, block.length)));
  closeSync(fd);
}
