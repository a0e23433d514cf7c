import { existsSync } from "node:fs";

/** The peers that are installed (`npm install --prefix bench/peers --ignore-scripts`); undefined for one that is not. */
export async function loadPeers() {
  return {
    gemini: await load("@google/gemini-cli-core/dist/src/utils/fileUtils.js"),
    pi: await load("@mariozechner/pi-coding-agent/dist/core/tools/truncate.js"),
    piOutput: await load("@mariozechner/pi-coding-agent/dist/core/tools/output-accumulator.js"),
  };
}

async function load(file) {
  const url = new URL(`./node_modules/${file}`, import.meta.url);
  if (existsSync(url)) return import(url.href);
  process.stderr.write(`not installed, left out: ${file.split("/").slice(0, 2).join("/")}\n`);
  return undefined;
}
