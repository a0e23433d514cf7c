// The Truncate module and Tool.define, for hosts that already speak these names.
import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Tool, Truncate } from "spillway";
import { z } from "zod";

process.chdir(await mkdtemp(path.join(tmpdir(), "spillway-example-")));

const long = Array.from({ length: 5000 }, (_, index) => `row ${index + 1}`).join("\n");
const bounded = await Truncate.output(long, { maxLines: 3, direction: "tail" });
console.log(bounded.content);
assert.ok(bounded.truncated);
assert.equal(await readFile(bounded.outputPath, "utf8"), long);

const counter = Tool.define("count", {
  description: "Counts to a number.",
  parameters: z.object({ to: z.number() }),
  execute: ({ to }) => ({
    title: `to ${to}`,
    output: Array.from({ length: to }, (_, index) => index + 1).join("\n"),
    metadata: {},
  }),
});
const tool = await counter.init();
assert.equal((await tool.execute({ to: 3 }, {})).metadata.truncated, false);
const large = await tool.execute({ to: 10_000 }, {});
assert.equal(large.metadata.truncated, true);
assert.ok(large.output.includes("...8000 lines truncated..."));
