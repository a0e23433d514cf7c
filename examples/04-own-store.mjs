// Any store that keeps the contract can hold the artifacts; this one is in memory.
import assert from "node:assert/strict";
import { createMemoryStore, createSpillway, ObservationTruncator } from "spillway";

const store = createMemoryStore();
const spillway = createSpillway({ store, config: false, maxLines: 10 });
const result = await spillway.govern(
  { value: Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}` })) },
  { tool: "Query" },
);
assert.equal(result.kind, "bounded");
const page = await store.readLines(result.storage.artifact.id, { offsetLine: 2, limit: 4 });
console.log(page.text);
assert.match(page.text, /"id": 0/);

const truncator = new ObservationTruncator({ store, config: false, maxLines: 10 });
const envelope = await truncator.truncate("Read", {
  status: "success",
  data: { content: "line\n".repeat(100) },
  text: "Read 100 lines.",
  stats: { time_ms: 1 },
  context: { cwd: ".", params_input: { path: "notes.txt" } },
});
assert.equal(envelope.status, "partial");
assert.equal(envelope.data.truncation.original_lines, 100);
console.log(envelope.text);
