import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { renderMessage } from "../../gate/render/message.ts";
import { createSpillway } from "../../gate/spillway.ts";
import { type BoundFileRequest, boundFile } from "./bound-file.ts";
import { isBounded } from "./bound-mark.ts";
import type { Host } from "./host.ts";
import { spoolFolder } from "./program-folder.ts";

export type BoundTextRequest = Omit<BoundFileRequest, "file" | "outcome">;

/** What a host's model should see of a tool's text; undefined when that is the text as it is. */
export async function boundText(host: Host, text: string, request: BoundTextRequest): Promise<string | undefined> {
  const redaction = await createSpillway({ root: request.root }).redaction();
  const clean = redaction?.text(text).text ?? text;
  if (Buffer.byteLength(clean) <= host.maxBytes.success || isBounded(clean)) return clean === text ? undefined : clean;
  const folder = await mkdtemp(path.join(spoolFolder(), "result-"));
  try {
    const file = path.join(folder, "output");
    await writeFile(file, clean, { mode: 0o600 });
    return (await boundSaved(host, file, request)) ?? (clean === text ? undefined : clean);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same for a text that the host has put into a file. */
export async function boundSaved(host: Host, file: string, request: BoundTextRequest): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const governed = await boundFile(host, { ...request, file, outcome: { kind: "success" } });
  if (governed.kind === "bounded") return renderMessage(governed);
  return governed.redacted === undefined ? undefined : governed.text;
}
