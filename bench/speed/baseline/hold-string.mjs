import { writeFileSync } from "node:fs";
import path from "node:path";
import { logText } from "../../log-text.mjs";
import { importBuilt } from "../../measure.mjs";
import { loadPeers } from "../../peers/load-peers.mjs";

// Holds a string of 100 MB and lets one contestant bound it, for its peak memory.
const [, , who, folder] = process.argv;
const { createSpillway } = await importBuilt("index");
const { gemini, pi } = await loadPeers();
const part = logText(1024 * 1024);
// One flat string from bytes: nothing of its making stays behind but the string itself.
const text = Buffer.alloc(100 * 1024 * 1024, part).latin1Slice();

if (who === "spillway") {
  await createSpillway({ root: folder, config: false, strategy: "head_tail" }).govern(text, { tool: "bench" });
} else if (who === "split") {
  writeFileSync(path.join(folder, "written"), text.split("\n").join("\n"));
} else if (who === "gemini") {
  const { outputFile } = await gemini.saveTruncatedToolOutput(text, "bench", 1, folder);
  gemini.formatTruncatedToolOutput(text, outputFile, 40_000);
} else if (who === "pi") pi.truncateHead(text);
