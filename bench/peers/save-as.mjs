// Saves an output of numbered lines in the way of one contestant, and prints what its caller is told:
// node bench/peers/save-as.mjs NAME FOLDER LINES ID
import { importBuilt } from "../measure.mjs";
import { loadPeers } from "./load-peers.mjs";
import { chunksOf } from "./numbered-lines.mjs";

const [name, folder, lines, id] = process.argv.slice(2);
const WAYS = { spillway: bySpillway, gemini: byGemini, pi: byPi };
const save = await WAYS[name]();
process.stdout.write("ready\n");
try {
  const path = await save();
  process.stdout.write(`${JSON.stringify({ path, peakBytes: process.resourceUsage().maxRSS * 1024 })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ said: error.message })}\n`);
}

async function bySpillway() {
  const { createSpillway } = await importBuilt("index");
  const spillway = createSpillway({ root: folder, config: false, env: {} });
  return async () => {
    const capture = await spillway.capture({ tool: "shell", callId: id });
    for await (const chunk of paced()) await capture.write(chunk);
    const { storage } = await capture.finish();
    if ("lost" in storage) throw new Error(storage.lost);
    return storage.artifact.path;
  };
}

/** It takes an output as one string. */
async function byGemini() {
  const { gemini } = await loadPeers();
  return async () => {
    const chunks = [];
    for await (const chunk of paced()) chunks.push(chunk.toString());
    return (await gemini.saveTruncatedToolOutput(chunks.join(""), "shell", id, folder)).outputFile;
  };
}

/** It writes to the folder for temporary files, as its bash tool has it do. */
async function byPi() {
  process.env.TMPDIR = folder;
  const { piOutput } = await loadPeers();
  return async () => {
    const output = new piOutput.OutputAccumulator();
    for await (const chunk of paced()) output.append(chunk);
    output.finish();
    const { fullOutputPath } = output.snapshot({ persistIfTruncated: true });
    await output.closeTempFile();
    return fullOutputPath;
  };
}

/** As a process prints: a chunk, and then whatever else there is to do. */
async function* paced() {
  for (const chunk of chunksOf(Number(lines))) {
    yield chunk;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
