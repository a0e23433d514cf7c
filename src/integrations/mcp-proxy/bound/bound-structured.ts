import { jsonBytes } from "../../../gate/items/json-size.ts";
import type { Output } from "../../../gate/types.ts";
import { isObject, type JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { BoundContext } from "./bound-context.ts";
import { asOptions, type BoundPart, linkOf, recordShown, storageFacts } from "./bound-part.ts";
import { restoreStrings } from "./restore-strings.ts";
import { type Shrunk, shrinkJson } from "./shrink-json.ts";
import type { TruncatedPart } from "./truncation-facts.ts";

const SHRINK_TRIES = 6;

export interface BoundStructured extends BoundPart {
  /** Undefined when nothing smaller fits the tool's schema. */
  readonly value: JsonObject | undefined;
}

/** Makes `structuredContent` small enough and still valid for its `outputSchema`; undefined when it is within the limits. */
export async function boundStructured(value: unknown, context: BoundContext): Promise<BoundStructured | undefined> {
  const { limits, spooled } = context;
  const room = Math.min(limits.maxBytes, limits.maxChars, limits.maxTokens * 3);
  const restored = spooled ? await restoreStrings(value, spooled, room) : { value, cuts: [], whole: true };
  if (restored.whole && jsonBytes(restored.value) <= room) return undefined;
  const output: Output = restored.whole || !spooled ? { value: restored.value } : spooled.read();
  const governed = await context.spillway.govern(output, {
    tool: context.tool,
    callId: context.callId,
    extension: "json",
    strategy: "head",
    counted: false,
    tools: [],
    ...asOptions({ ...limits, maxBytes: Math.min(limits.maxBytes, room) }),
    maxLines: 1,
  });
  if (governed.kind === "whole") {
    context.spillway.record(governed);
    return undefined;
  }
  const link = linkOf(governed, context, "application/json");
  const fitting = await shrinkToSchema(restored.value, room, context.outputSchema);
  recordShown(governed, fitting ? JSON.stringify(fitting.value) : "", "smart", context.spillway);
  const facts: TruncatedPart = {
    part: "structuredContent",
    action: fitting ? "shrunk" : "removed",
    ...storageFacts(governed, link),
    kept_lines: 0,
    kept_bytes: fitting ? jsonBytes(fitting.value) : 0,
    cuts: [...restored.cuts, ...(fitting?.cuts ?? [])],
  };
  return { value: fitting && isObject(fitting.value) ? fitting.value : undefined, facts, link };
}

async function shrinkToSchema(
  value: unknown,
  room: number,
  schema: JsonObject | undefined,
): Promise<Shrunk | undefined> {
  const isValid = schema ? await createValidator(schema) : () => true;
  let target = room;
  for (let attempt = 0; attempt < SHRINK_TRIES; attempt += 1) {
    const shrunk = shrinkJson(value, Math.floor(target), schema);
    if (jsonBytes(shrunk.value) <= room && isValid(shrunk.value)) return shrunk;
    target *= 0.6;
  }
  return undefined;
}

async function createValidator(schema: JsonObject): Promise<(value: unknown) => boolean> {
  try {
    const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/server/validators/ajv");
    const validate = new AjvJsonSchemaValidator().getValidator(schema);
    return (value) => validate(value).valid;
  } catch {
    // A schema that does not compile is one no client can validate against either.
    return () => true;
  }
}
