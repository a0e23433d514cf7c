import { isObject } from "../../../bytes/json/is-object.ts";
import { jsonBytes, keyBytes } from "../../../bytes/json/json-size.ts";
import { stringifyJson } from "../../../bytes/json/stringify-json.ts";
import { boundValue } from "../../../gate/items/bound-value.ts";
import { replaceAt } from "../../../gate/items/keep-parts.ts";
import { isWithin, jsonRoom, type MeasuredValue, measureValue } from "../../../gate/items/measure-value.ts";
import type { ArtifactLink, JsonCut, TruncatedPart } from "../../../gate/render/mcp-facts.ts";
import { renderStructuredNotice } from "../../../gate/render/mcp-notice.ts";
import type { BoundedResult, GateOptions, Output } from "../../../gate/types.ts";
import type { Strategy } from "../../../limits/types.ts";
import { estimateTokens } from "../../../preview/tokens/estimate-tokens.ts";
import { queryText } from "../../../query/query-context.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { BoundContext } from "./bound-context.ts";
import { asOptions, type BoundPart, linkOf, storageFacts } from "./bound-part.ts";
import { restoreStrings } from "./restore-strings.ts";
import { type Shrunk, shrinkJson } from "./shrink-json.ts";

const SHRINK_TRIES = 6;

export interface BoundStructured extends BoundPart {
  /** Undefined when nothing smaller fits the tool's schema. */
  readonly value: JsonObject | undefined;
}

/** Makes `structuredContent` small enough and still valid for its `outputSchema`; undefined when it is within the limits. */
export async function boundStructured(value: unknown, context: BoundContext): Promise<BoundStructured | undefined> {
  const { limits, spooled } = context;
  const room = jsonRoom(limits);
  const restored = spooled ? await restoreStrings(value, spooled, room) : { value, cuts: [], whole: true };
  const bytes = jsonBytes(restored.value);
  // An item takes two bytes at least, a line of a text too.
  const fewLines = bytes / 2 < limits.maxLines;
  const measured = fewLines && bytes <= room ? undefined : measureValue(restored.value, limits);
  const within = bytes <= room && (measured === undefined || isWithin(measured, limits, estimateTokens));
  if (restored.whole && within) return undefined;
  const output: Output = restored.whole || !spooled ? { value: restored.value } : spooled.read();
  const governed = await context.spillway.govern(output, {
    tool: context.tool,
    callId: context.callId,
    redacted: context.redacted,
    query: context.query,
    outcome: context.outcome,
    extension: "json",
    counted: false,
    tools: [],
    ...asOptions({ ...limits, maxBytes: Math.min(limits.maxBytes, room) }),
  } as GateOptions);
  if (governed.kind === "whole") {
    context.spillway.record(governed);
    return undefined;
  }
  const link = linkOf(governed, context, "application/json");
  const isValid = context.outputSchema ? await createValidator(context.outputSchema) : () => true;
  const notice = context.textOnly === true ? undefined : createStructuredNotice(governed, link, context);
  const left = room - Math.min(notice?.bytes ?? 0, Math.floor(room / 4));
  const byItems = measured && keepItems(measured, left, governed.strategy, context);
  const kept: KeptItems | undefined =
    byItems && isValid(byItems.value) ? byItems : shrinkToSchema(restored.value, left, context.outputSchema, isValid);
  const cuts = [...restored.cuts, ...(kept?.cuts ?? [])];
  const fits = (candidate: unknown): boolean => jsonBytes(candidate) <= room && isValid(candidate);
  const fitting = kept && notice ? { ...kept, value: notice.addTo(kept.value, cuts, fits) } : kept;
  context.spillway.record(governed, { text: fitting ? stringifyJson(fitting.value) : "", strategy: "smart" });
  const facts: TruncatedPart = {
    part: "structuredContent",
    action: fitting ? "shrunk" : "removed",
    ...storageFacts(governed, link),
    kept_lines: 0,
    kept_bytes: fitting ? jsonBytes(fitting.value) : 0,
    ...fitting?.counts,
    cuts,
  };
  return { value: fitting && isObject(fitting.value) ? fitting.value : undefined, facts, link, hint: governed.hint };
}

interface KeptItems extends Shrunk {
  /** When it was kept by items. */
  readonly counts?: Pick<TruncatedPart, "kept_lines" | "kept_bytes" | "original_items" | "kept_items">;
}

/** The value with whole items only; undefined when none fits, or when it is too large all the same. */
function keepItems(
  measured: MeasuredValue,
  room: number,
  strategy: Strategy,
  { limits, query }: BoundContext,
): KeptItems | undefined {
  const reserved = Math.max(0, jsonRoom(limits) - room);
  const reserve = { lines: 0, bytes: reserved, chars: reserved, tokens: Math.ceil(reserved / 3) };
  const { value, parts, kept, items } = boundValue(measured, { limits, strategy, query: queryText(query), reserve });
  if (kept.bytes === 0 || jsonBytes(value) > room) return undefined;
  const cuts = parts.flatMap((each): JsonCut[] => {
    if (each.omissions.length === 0) return [];
    const pointer = each.part.path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
    return "indices" in each
      ? [{ pointer, unit: "items", kept: each.indices.length, total: each.part.items.length }]
      : [{ pointer, unit: "characters", kept: each.kept.chars, total: each.part.size.chars }];
  });
  const counts = {
    kept_lines: kept.lines,
    kept_bytes: kept.bytes,
    ...(items && { original_items: items.total, kept_items: items.kept }),
  };
  return { value, cuts, counts };
}

function shrinkToSchema(
  value: unknown,
  room: number,
  schema: JsonObject | undefined,
  isValid: (value: unknown) => boolean,
): Shrunk | undefined {
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

/** Where structured content says of itself that it is not all. */
const NOTICE_KEY = "spillway_notice";

/** What stands in structured content that was cut, for clients that show nothing else. */
export interface StructuredNotice {
  /** What it takes as a property. */
  readonly bytes: number;
  /** Puts it into a property of its own or, where that does not fit, at the end of a text that was cut; else nowhere. */
  addTo(value: unknown, cuts: readonly JsonCut[], fits: (candidate: unknown) => boolean): unknown;
}

function createStructuredNotice(
  { size }: BoundedResult,
  link: ArtifactLink | undefined,
  context: BoundContext,
): StructuredNotice {
  const text = renderStructuredNotice(size, link, context);
  return {
    bytes: keyBytes(NOTICE_KEY) + jsonBytes(text),
    addTo(value, cuts, fits) {
      if (!isObject(value)) return value;
      const withProperty = { ...value, [NOTICE_KEY]: text };
      if (!(NOTICE_KEY in value) && fits(withProperty)) return withProperty;
      const candidates = cuts.flatMap(({ pointer, unit }) =>
        unit === "characters" ? appendAt(value, pathOf(pointer), `\n[${text}]`) : [],
      );
      return candidates.find(fits) ?? value;
    },
  };
}

function pathOf(pointer: string): readonly string[] {
  const keys = pointer.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value with a text made longer; nothing when there is none. */
function appendAt(value: object, path: readonly string[], text: string): readonly unknown[] {
  const found = path.reduce<unknown>(
    (inner, key) => (isObject(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
    value,
  );
  return typeof found === "string" ? [replaceAt(value, path, found + text)] : [];
}
