import path from "node:path";
import type { Host } from "../../integrations/hosts/host.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import {
  type ChangeRequest,
  inFile,
  type Plan,
  partRefused,
  projectRefused,
  readIfThere,
  withComments,
} from "./plan.ts";
import { unwrapServers, wrapServers } from "./wrap-servers.ts";

/** The MCP servers that are configured for the host, each behind the proxy. */
export function planMcp(plan: Plan, host: Host, { project, root, remove, proxyFlags = [] }: ChangeRequest): void {
  const { mcp } = host;
  if (mcp === undefined) throw partRefused(host, "--mcp", "it has no MCP servers");
  if (project && mcp.projectFile === undefined) throw projectRefused(host);
  const file = withComments(project ? path.join(root, mcp.projectFile!) : mcp.userFile());
  // A project's file is shared with others, whose program lies elsewhere.
  const proxy: readonly [string, ...string[]] = project
    ? ["npx", "-y", "spillway"]
    : [process.execPath, path.join(installedFolder(), "bin", "spillway.mjs")];
  const text = readIfThere(file) ?? "";
  const options = { proxy, flags: proxyFlags };
  const { wrapped, left } = inFile(file, () =>
    remove ? unwrapServers(text, mcp) : wrapServers(text, host, mcp, options),
  );
  if (wrapped.length > 0)
    plan.edit(file, `${wrapped.join(", ")} ${remove ? "without" : "behind"} the proxy`, (now) =>
      remove ? unwrapServers(now, mcp).text : wrapServers(now, host, mcp, options).text,
    );
  if (remove) return;
  if (wrapped.length === 0) plan.remarks.push(`${file} has no MCP server to put behind the proxy.`);
  const shared = mcp.projectFile === undefined ? file : withComments(path.join(root, mcp.projectFile));
  const others =
    shared === file ? [] : inFile(shared, () => wrapServers(readIfThere(shared) ?? "", host, mcp, options).wrapped);
  if (others.length > 0)
    plan.remarks.push(`${shared} has ${others.join(", ")}: --project puts those behind the proxy.`);
  if (left.length > 0) plan.remarks.push(`left alone: ${left.join("; ")}.`);
}
