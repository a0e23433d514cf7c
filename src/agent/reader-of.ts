import type { PermissionRule } from "../gate/permissions.ts";
import type { Reader } from "../gate/reader.ts";
import type { ToolDefinition } from "../tools/registry/define-tool.ts";
import { decidePermission } from "./permission-check.ts";
import type { TaskAgent } from "./task.ts";

/** Stands for the id of any saved output. */
const ANY_ID = "0".repeat(22);

/** What the model can call, as far as hints depend on it: nothing that a rule would refuse. */
export function readerOf(
  tools: readonly ToolDefinition[],
  agents: readonly TaskAgent[],
  rules: readonly PermissionRule[],
  root: string,
): Reader {
  const permits = (tool: string, input: unknown) => decidePermission(tool, input, rules, root).action !== "deny";
  return {
    tools: tools.map(({ name }) => name).filter((name) => name === "Task" || permits(name, sampleOf(name))),
    agents: agents.map(({ name }) => name).filter((agent) => permits("Task", { agent })),
    byId: tools.some((tool) => tool.name === "Read" && tool.findsArtifacts === true),
  };
}

/** A call as a hint would suggest it. */
function sampleOf(tool: string): unknown {
  return tool === "Bash" ? { command: `sed -n '1,2p' ${ANY_ID}` } : { path: ANY_ID };
}
