import type { PermissionRule } from "../gate/permissions.ts";
import type { Reader } from "../gate/reader.ts";
import type { ToolDefinition } from "../tools/registry/define-tool.ts";
import { decidePermission } from "./permission-check.ts";
import type { TaskAgent } from "./task.ts";

/** Placeholder for the id of any saved output. */
const ANY_ID = "0".repeat(22);

/** The model's tools, as far as hints depend on them: none that a rule would refuse. */
export async function readerOf(
  tools: readonly ToolDefinition[],
  agents: readonly TaskAgent[],
  rules: readonly PermissionRule[],
  root: string,
): Promise<Reader> {
  const permitted = async (names: readonly string[], call: (name: string) => [tool: string, input: unknown]) => {
    const decisions = await Promise.all(names.map((name) => decidePermission(...call(name), rules, root)));
    return names.filter((name, at) => name === "Task" || decisions[at]?.action !== "deny");
  };
  const names = tools.map(({ name }) => name);
  const agentNames = agents.map(({ name }) => name);
  return {
    tools: await permitted(names, (name) => [name, sampleOf(name)]),
    agents: await permitted(agentNames, (agent) => ["Task", { agent }]),
    byId: tools.some((tool) => tool.name === "Read" && tool.findsArtifacts === true),
  };
}

/** A call as a hint would suggest it. */
function sampleOf(tool: string): unknown {
  return tool === "Bash" ? { command: `sed -n '1,2p' ${ANY_ID}` } : { path: ANY_ID };
}
