import { createSpillway } from "../../../dist/index.mjs";
import { builtInTools, createToolRegistry } from "../../../dist/tools.mjs";
import { filesBelow, numbered, openDescriptors } from "../support.mjs";

export const fault = "many runs in one process, with commands, failures, timeouts and aborts among them";

export async function run({ long, folder }) {
  const runs = long ? 10_000 : 500;
  const gate = createSpillway({ root: folder });
  const registry = createToolRegistry({ spillway: gate, tools: builtInTools });
  const output = numbered(3000);
  const once = async (at) => {
    if (at % 10 === 0) return registry.call("Bash", { command: "echo one; exit 3" });
    if (at % 50 === 1) return registry.call("Bash", { command: "sleep 5", timeout_ms: 20 });
    if (at % 10 === 2)
      return registry.call(
        "Grep",
        { pattern: "line 7", path: ".agents/tool-output" },
        { signal: AbortSignal.timeout(5) },
      );
    return gate.govern(at % 2 === 0 ? output : output.toString(), { tool: "Many" });
  };
  for (let at = 0; at < 20; at++) await once(at);
  const before = openDescriptors();
  let saved = [...filesBelow(folder).keys()].filter((file) => file.includes("tool_") && !file.includes(".meta")).length;
  for (let at = 0; at < runs; at++) {
    const result = await once(at);
    if ("storage" in result && "artifact" in result.storage) saved++;
    if (at % 1000 === 999) await gate.store.cleanup?.();
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const descriptors = Math.max(0, openDescriptors() - before);
  const files = [...filesBelow(folder).keys()];
  const artifacts = files.filter((file) => /tool_[^/]*\.(?:txt|json)$/.test(file) && !file.includes(".meta")).length;
  const strays = files.filter((file) => /\.(?:tmp|partial|writing)\b|draft/.test(file)).length;
  const lostBytes = Math.max(0, saved - artifacts) * output.length;
  return {
    tries: runs,
    lostBytes,
    leaks: descriptors + strays,
    note: `${artifacts} artifacts, no other file, no descriptor more`,
  };
}
