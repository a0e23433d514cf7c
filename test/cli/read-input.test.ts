import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BundledScript, bundleScript } from "../support/bundle.ts";

const run = promisify(execFile);
const content = Buffer.from(Array.from({ length: 60_000 }, (_, line) => `line ${line} of the input ✓`).join("\n"));
const sha256 = createHash("sha256").update(content).digest("hex");

let folder: string;
let file: string;
let reader: BundledScript;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "spillway-read-input-"));
  file = join(folder, "input");
  writeFileSync(file, content);
  // Waits at every fifth chunk, and then looks at the chunk again: it must not have changed meanwhile.
  reader = await bundleScript(`
    import { createHash } from "node:crypto";
    import { setTimeout } from "node:timers/promises";
    import { readStandardInput } from "src/cli/read-input.ts";
    const hash = createHash("sha256");
    let chunks = 0;
    const outcome = await readStandardInput((chunk) => {
      if (++chunks % 5 !== 0) { hash.update(chunk); return undefined; }
      return setTimeout(2).then(() => { hash.update(chunk); });
    });
    process.stdout.write(JSON.stringify({ outcome, sha256: hash.digest("hex") }));
  `);
});

afterAll(() => {
  reader.remove();
  rmSync(folder, { recursive: true, force: true });
});

const shell = async (line: string) => JSON.parse((await run("sh", ["-c", line, "sh", file, reader.path])).stdout);

it.each([
  ["a pipe", 'cat "$1" | node "$2"'],
  ["a file", 'node "$2" < "$1"'],
])("reads all of %s, with waiting", async (_name, line) => {
  expect(await shell(line)).toEqual({ outcome: { kind: "success", unseen: true }, sha256 });
});

it("goes on from where a file stands", async () => {
  const rest = createHash("sha256").update(content.subarray(7)).digest("hex");
  expect(await shell('{ dd bs=7 count=1 of=/dev/null 2>/dev/null; node "$2"; } < "$1"')).toMatchObject({
    sha256: rest,
  });
});

it("reads nothing from /dev/null", async () => {
  const empty = createHash("sha256").digest("hex");
  expect(await shell('node "$2" < /dev/null')).toEqual({ outcome: { kind: "success", unseen: true }, sha256: empty });
});

it("reads a socket, as node gives its children", async () => {
  const child = spawn("node", [reader.path], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(content);
  let answer = "";
  for await (const chunk of child.stdout) answer += chunk;
  expect(JSON.parse(answer)).toEqual({ outcome: { kind: "success", unseen: true }, sha256 });
});

it("says that an input broke off", async () => {
  const { outcome } = await shell('node "$2" < /');
  expect(outcome.kind).toBe("failure");
});
