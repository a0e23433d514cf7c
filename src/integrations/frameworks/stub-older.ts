import { createHash } from "node:crypto";
import { renderValue } from "../../gate/output.ts";
import type { Spillway } from "../../gate/types.ts";
import { formatPlural } from "../../preview/omission.ts";
import { READER_NAME } from "../mcp-shared/reader-tool.ts";
import type { ToolResult } from "./message-results.ts";
import { hasReaders } from "./options.ts";
import { plainText } from "./plain-text.ts";

/** A result that is smaller than this stays: a pointer would hardly be shorter. */
const LEAST_BYTES = 600;

interface ShownResult extends ToolResult {
  readonly shown: unknown;
}

/** How each result is sent: older ones become pointers if all together exceed the room. */
export async function stubOlder(
  spillway: Spillway,
  results: readonly ShownResult[],
  maxTotalBytes: number,
): Promise<readonly unknown[]> {
  const sizes = results.map(({ shown }) => Buffer.byteLength(textOf(shown)));
  const stubbed = chooseStubs(sizes, maxTotalBytes);
  return Promise.all(results.map((result, at) => (stubbed.has(at) ? stubOf(spillway, result) : result.shown)));
}

/**
 * Which results to leave out, looking at the history as it grew: each time the total is passed, the oldest but the first
 * are stubbed until half of it is free. A stubbed result stays stubbed, so that nothing changes with every new message.
 */
export function chooseStubs(sizes: readonly number[], maxTotalBytes: number): ReadonlySet<number> {
  const stubbed = new Set<number>();
  let total = 0;
  for (const [last, size] of sizes.entries()) {
    total += size;
    if (total <= maxTotalBytes) continue;
    for (let at = 1; at < last && total > maxTotalBytes / 2; at++) {
      if (stubbed.has(at) || sizes[at]! < LEAST_BYTES) continue;
      stubbed.add(at);
      total -= sizes[at]!;
    }
  }
  return stubbed;
}

async function stubOf(spillway: Spillway, { tool, callId, content }: ShownResult): Promise<string> {
  const text = textOf(content);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const found = await spillway.store.find(callId).catch(() => undefined);
  const artifact =
    found?.manifest?.sha256 === sha256 ? found : await save(spillway, text, { tool, callId, extension: "txt" });
  const what = `[An earlier result of ${tool}, ${formatPlural(Buffer.byteLength(text), "byte")}, is left out here.`;
  if (artifact === undefined) return `${what} Call the tool again to see it.]`;
  const way = hasReaders(spillway) ? `: ${READER_NAME}(id=${JSON.stringify(artifact.id)})` : ` to ${artifact.path}`;
  return `${what} It is saved${way}]`;
}

async function save(spillway: Spillway, text: string, options: { tool: string; callId: string; extension: string }) {
  const { storage } = await spillway.keep(text, options);
  return "artifact" in storage ? storage.artifact : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? plainText(content) : renderValue(content);
}
