import type { Governed } from "../types.ts";

/** The result as plain text: all of it, or preview and notice within the limits. */
export function renderMessage(governed: Governed): string {
  if (governed.kind === "whole") return governed.text;
  const { preview, notice, strategy } = governed;
  if (notice === "") return preview.text;
  if (preview.text === "") return notice;
  return strategy === "tail" ? `${notice}\n\n${preview.text}` : `${preview.text}\n\n${notice}`;
}
