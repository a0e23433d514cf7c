import { ToolFailure } from "../protocol/tool-failure.ts";

/** Refuses a glob with a bracket, brace or parenthesis that never closes, which would quietly match nothing. */
export function checkClosed(parameter: string, glob: string): void {
  const plain = glob.replace(/\\./g, "").replace(/\[[!^]?\]?[^\]]*\]/g, "");
  const isOpen = (open: string, close: string) => plain.split(open).length > plain.split(close).length;
  const open = plain.includes("[") ? "[" : isOpen("{", "}") ? "{" : isOpen("(", ")") ? "(" : undefined;
  if (open === undefined) return;
  throw new ToolFailure("INVALID_PARAM", `${parameter} ${glob} opens a ${open} that it does not close.`, {
    next: `Close it, or write \\${open} for the character itself.`,
  });
}
