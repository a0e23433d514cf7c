// The gate in eight lines: any output in, a bounded message out, the rest saved.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSpillway, renderMessage } from "spillway";

const root = await mkdtemp(path.join(tmpdir(), "spillway-example-"));
const output = await new Promise((resolve) => {
  execFile("node", [new URL("noisy-build.mjs", import.meta.url).pathname], { maxBuffer: 1 << 26 }, (_, stdout) =>
    resolve(stdout),
  );
});

const spillway = createSpillway({ root, maxBytes: 8000 });
const result = await spillway.govern(output, { tool: "Bash", callId: "call_1", query: "why does the build fail" });
const message = renderMessage(result);
console.log(message);

assert.equal(result.kind, "bounded");
assert.ok(Buffer.byteLength(message) <= 8000, "preview and notice together stay within the limit");
assert.match(message, /error TS2345/, "the one error of 40,000 lines is shown");
assert.equal(await readFile(result.storage.artifact.path, "utf8"), output, "the artifact holds every byte");
