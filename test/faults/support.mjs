import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Numbers that look random and are the same every time. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Starts the built command line; `ended` gives exit code, signal and what it printed. */
export function startSpillway(project, args, options = {}) {
  const child = spawn(process.execPath, [join(project, "bin", "spillway.mjs"), ...args], options);
  const printed = { out: [], err: [] };
  child.stdout?.on("data", (chunk) => printed.out.push(chunk));
  child.stderr?.on("data", (chunk) => printed.err.push(chunk));
  child.stdin?.on("error", () => {});
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) =>
      resolve({ exitCode, signal, out: Buffer.concat(printed.out), err: Buffer.concat(printed.err).toString() }),
    );
  });
  return { child, ended };
}

export async function sha256Of(file) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest("hex");
}

/** Every file below a folder with its size, by path. */
export function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath ?? entry.path, entry.name);
      return [file, statSync(file).size];
    }),
  );
}

/** Open descriptors of this process. */
export function openDescriptors() {
  return readdirSync("/proc/self/fd").length;
}

/** Lines of numbers, so that a beginning of them is known to be one. */
export function numbered(lines) {
  return Buffer.from(Array.from({ length: lines }, (_, at) => `line ${at} of what a tool printed\n`).join(""));
}

/** True when `part` is how `whole` begins. */
export function isBeginning(part, whole) {
  return part.length <= whole.length && whole.subarray(0, part.length).equals(part);
}
