import type { Host } from "../../integrations/hosts/host.ts";
import { type ChangeRequest, type HostChanges, PARTS, type Part, Plan } from "./plan.ts";
import { planMcp } from "./plan-mcp.ts";
import { planResults } from "./plan-results.ts";
import { planShell } from "./plan-shell.ts";

/** What is best for a host when nothing is said. */
export function bestParts(host: Host): readonly Part[] {
  const own = PARTS.filter((part) => part !== "mcp" && host[part] !== undefined);
  return own.length > 0 ? own : ["mcp"];
}

/** What `init` would change for a host. Throws where another owner's key stands in the way. */
export function planChanges(host: Host, request: ChangeRequest): HostChanges {
  const plan = new Plan();
  if (request.parts.includes("shell")) planShell(plan, host, request);
  if (request.parts.includes("results")) planResults(plan, host, request);
  if (request.parts.includes("mcp")) planMcp(plan, host, request);
  return plan.finish();
}
