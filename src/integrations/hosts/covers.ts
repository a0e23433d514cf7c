import type { Host } from "./host.ts";

/** Results of these are left alone: edits need them to the letter, and the host bounds them itself. */
export const NEVER_REPLACED = ["read", "edit", "write", "patch", "apply_patch"];

/** True for a tool whose results `init` would bound in this host, with its best parts or `--mcp`. */
export function covers({ shellTool, results, mcp }: Host, tool: string): boolean {
  if (tool === shellTool || (mcp !== undefined && /^mcp_/.test(tool))) return true;
  if (results?.by === "plugin") return !NEVER_REPLACED.includes(tool);
  return results?.tools.test(tool) === true;
}

/** What the host itself would have shown its model of an output; undefined where nobody has measured it. */
export function shownAlone(
  { ownCut }: Host,
  { bytes, lines }: { readonly bytes: number; readonly lines: number },
  failed: boolean,
): number | undefined {
  if (ownCut === undefined) return undefined;
  const { overBytes, overLines = Number.POSITIVE_INFINITY, leavesBytes } = failed ? ownCut.failure : ownCut.success;
  if (bytes <= overBytes && lines <= overLines) return bytes;
  // Lines are left out before bytes are, and all count as equally long.
  return Math.min(leavesBytes, lines > overLines ? Math.ceil((bytes * overLines) / lines) : bytes);
}
