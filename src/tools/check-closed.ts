import { ToolFailure } from "../protocol/tool-failure.ts";

/** Refuses a glob with a bracket or brace that never closes, which would quietly match nothing. */
export function checkClosed(parameter: string, glob: string): void {
  const plain = glob.replace(/\\./g, "").replace(/\[[!^]?\]?[^\]]*\]/g, "");
  const open = plain.includes("[") ? "[" : plain.split("{").length > plain.split("}").length ? "{" : undefined;
  if (open === undefined) return;
  throw new ToolFailure("INVALID_PARAM", `${parameter} ${glob} opens a ${open} that it does not close.`, {
    next: `Close it, or write \\${open} for the character itself.`,
  });
}
