// A tool that pushes its bytes: the capture holds little in memory, however much comes, and the tail is the real tail.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSpillway, renderWrapper } from "spillway";

const root = await mkdtemp(path.join(tmpdir(), "spillway-example-"));
const spillway = createSpillway({ root, tools: ["Read", "Grep", "Task"] });
const capture = await spillway.capture({ tool: "Bash", callId: "call_2", strategy: "tail", maxLines: 20 });

const child = spawn("seq", ["1", "2000000"]);
for await (const chunk of child.stdout) await capture.write(chunk);
const result = await capture.finish({ kind: "success" });

assert.equal(result.kind, "bounded");
assert.equal(result.size.lines, 2_000_000);
assert.ok(result.preview.text.endsWith("2000000"));
assert.equal((await stat(result.storage.artifact.path)).size, result.size.bytes);
const wrapper = renderWrapper(result);
assert.match(wrapper.hint, /Task\(agent="explore"/);
console.log(wrapper);
