import { closeSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { createLocalStore } from "../../../dist/artifacts.mjs";
import { numbered } from "../support.mjs";

export const fault = "a file that fails when it is synced or closed";

export async function run({ long, folder }) {
  if (process.platform !== "linux") return { skipped: "descriptors are found through /proc" };
  const tries = long ? 200 : 20;
  const store = createLocalStore({ dir: folder });
  const output = numbered(20_000);
  let lostBytes = 0;
  for (let at = 0; at < tries; at++) {
    const writer = await store.create({ tool: "Close" });
    await writer.write(output);
    while (statSync(writer.path).size < output.length) await new Promise((resolve) => setTimeout(resolve, 10));
    closeSync(descriptorOf(writer.path));
    const reported = await writer.finish({ complete: true }).then(
      () => false,
      () => true,
    );
    const manifest = await manifestOf(store, writer.id);
    // Every byte is there, and nothing claims that all is well.
    if (!reported || manifest?.complete !== false || !readFileSync(writer.path).equals(output))
      lostBytes += output.length;
  }
  return { tries, lostBytes, leaks: 0, note: "each was reported, the bytes kept and marked as incomplete" };
}

async function manifestOf(store, id) {
  for await (const manifest of store.list()) if (manifest.id === id) return manifest;
  return undefined;
}

function descriptorOf(path) {
  const name = readdirSync("/proc/self/fd").find((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  });
  return Number(name);
}
