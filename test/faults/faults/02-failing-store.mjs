import { createMemoryStore } from "../../../dist/artifacts.mjs";
import { createSpillway } from "../../../dist/index.mjs";
import { numbered } from "../support.mjs";

export const fault = "a store that answers EIO, or late, or never, at every step";

const STEPS = ["create", "write", "later write", "finish"];
const WAYS = ["rejects", "throws", "is late", "never answers"];
const LATE_MS = 50;

export async function run({ long, folder }) {
  const output = numbered(30_000);
  let [tries, lostBytes] = [0, 0];
  for (let round = 0; round < (long ? 50 : 5); round++) {
    for (const step of STEPS) {
      for (const way of WAYS) {
        const store = failing(step, way);
        const gate = createSpillway({ root: folder, store, storeTimeoutMs: 500 });
        const result = await gate.govern(chunks(output), { tool: "Store" });
        tries++;
        if (result.kind !== "bounded" || result.size.bytes !== output.length) lostBytes += output.length;
        else if (way === "is late") {
          if ("lost" in result.storage) lostBytes += output.length;
        } else if (!("lost" in result.storage) || !result.notice.includes("could not be saved"))
          lostBytes += output.length;
      }
    }
  }
  return { tries, lostBytes, leaks: 0, note: "a failing store costs the artifact, never the answer, and is said" };
}

async function* chunks(output) {
  for (let at = 0; at < output.length; at += 65_536) yield output.subarray(at, at + 65_536);
}

function failing(failingStep, way) {
  const inner = createMemoryStore();
  const act = (step, work) => {
    if (step !== failingStep) return work();
    if (way === "is late") return new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(work);
    if (way === "never answers") return new Promise(() => {});
    const error = Object.assign(new Error("EIO: i/o error, write"), { code: "EIO" });
    if (way === "throws") throw error;
    return Promise.reject(error);
  };
  return {
    ...Object.fromEntries(
      ["find", "list", "read", "readLines", "verify", "remove", "cleanup", "info"].map((name) => [
        name,
        inner[name]?.bind(inner),
      ]),
    ),
    create: (request) =>
      act("create", async () => {
        const writer = await inner.create(request);
        let writes = 0;
        return {
          id: writer.id,
          path: writer.path,
          write: (chunk) => act(writes++ === 0 ? "write" : "later write", () => writer.write(chunk)),
          finish: (completion) => act("finish", () => writer.finish(completion)),
          discard: () => writer.discard(),
        };
      }),
  };
}
