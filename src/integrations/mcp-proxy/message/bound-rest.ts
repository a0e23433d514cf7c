import { isObject } from "../../../bytes/json/is-object.ts";
import { jsonBytes } from "../../../bytes/json/json-size.ts";
import { stringifyJson } from "../../../bytes/json/stringify-json.ts";
import { jsonRoom } from "../../../gate/items/measure-value.ts";
import type { JsonCut } from "../../../gate/render/mcp-facts.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { BoundContext } from "./bound-context.ts";
import { type BoundPart, linkOf, saveWhole, storageFacts } from "./bound-part.ts";
import { leastRest } from "./last-cap.ts";
import { restoreStrings } from "./restore-strings.ts";
import { shrinkJson } from "./shrink-json.ts";

/** What a message holds beside the texts, media and structured content that are bounded by themselves. */
export interface Rest {
  /** Fields of the message itself. */
  readonly message: JsonObject;
  /** Fields of the result, or of the error. */
  readonly fields: JsonObject;
  /** Blocks of which nothing is bounded by itself. */
  readonly blocks: readonly unknown[];
  /** Other fields of the blocks that are, by their index in `content`. */
  readonly beside: Readonly<Record<string, JsonObject>>;
}

export interface BoundRest {
  readonly rest: Rest;
  /** Undefined when all of it fits. */
  readonly part: BoundPart | undefined;
}

/** A block keeps what says what it is; the rest of it may go. */
const BLOCK = {
  required: ["type", "uri", "name", "mimeType"],
  properties: { type: { format: "name" }, uri: { format: "uri" }, mimeType: { format: "type" } },
};
const SCHEMA = {
  required: ["message", "fields", "blocks", "beside"],
  properties: { blocks: { items: BLOCK }, beside: { additionalProperties: BLOCK } },
};
const NOTHING: Rest = { message: {}, fields: {}, blocks: [], beside: {} };

/** Whatever else a message holds is shortened until it fits beside the text. `indices` are those of the blocks. */
export async function boundRest(
  rest: Rest,
  takenBytes: number,
  indices: readonly number[],
  context: BoundContext,
): Promise<BoundRest> {
  const limit = jsonRoom(context.limits);
  const room = Math.max(leastRest(limit), limit - takenBytes);
  const { spooled } = context;
  const restored = spooled ? await restoreStrings(rest, spooled, room) : { value: rest, cuts: [], whole: true };
  const value = restored.value as Rest;
  if (restored.whole && jsonBytes(value) <= room) return { rest: value, part: undefined };
  const governed = await saveWhole(context);
  const tries = [shrinkJson(value, room, SCHEMA), shrinkJson(value, room)];
  const fitting = tries.find((shrunk) => jsonBytes(shrunk.value) <= room && isRest(shrunk.value));
  const kept = (fitting?.value ?? NOTHING) as Rest;
  const cuts = [
    ...restored.cuts,
    ...(fitting?.cuts ?? [{ pointer: "/fields", unit: "properties", kept: 0, total: 1 } as const]),
  ];
  const link = linkOf(governed, context, "application/json");
  context.spillway.record(governed, { text: stringifyJson(kept), strategy: "smart" });
  return {
    rest: kept,
    part: {
      link,
      hint: governed.hint,
      facts: {
        part: "message",
        action: "shrunk",
        ...storageFacts(governed, link),
        original_lines: 0,
        original_bytes: jsonBytes(value),
        kept_lines: 0,
        kept_bytes: jsonBytes(kept),
        cuts: cuts.map((cut) => ({ ...cut, pointer: inMessage(cut, indices) })),
      },
    },
  };
}

function isRest(value: unknown): boolean {
  return isObject(value) && isObject(value.fields) && Array.isArray(value.blocks) && isObject(value.beside);
}

/** The place of a cut in the result, of one in the message's own fields in the message. */
function inMessage({ pointer }: JsonCut, indices: readonly number[]): string {
  const [, where, first = "", ...deeper] = pointer.split("/");
  if (where === "fields") return pointer.slice("/fields".length);
  if (where === "message") return `..${pointer.slice("/message".length)}`;
  if (where === "beside") return ["/content", first, ...deeper].join("/");
  return ["/content", ...(first === "" ? [] : [indices[Number(first)] ?? first]), ...deeper].join("/");
}
