import { createHint, type Hint } from "../gate/hint.ts";
import { rangeOf } from "../gate/reader.ts";
import { renderShortHints } from "../gate/render/hint-text.ts";
import { wrap } from "../gate/render/wrapper.ts";
import type { BoundedResult, Outcome, Storage } from "../gate/types.ts";
import type { Strategy } from "../limits/types.ts";
import { preview as previewText } from "../preview/preview.ts";
import type { Preview } from "../preview/types.ts";
import type { Query } from "../query/query-context.ts";
import type { HistoryContext } from "./bound-history.ts";
import { previewArtifact } from "./preview-artifact.ts";
import type { Summarizer } from "./summarize.ts";

type Output = Readonly<Record<string, unknown>>;

/** A result over the cap, and the text to show of it. */
export interface CappedResult {
  readonly bounded: BoundedResult;
  /** The envelope; how the call ended is kept of it. */
  readonly envelope: Output;
  /** The output itself, where it is in memory. */
  readonly text?: string | undefined;
  /** The artifact of the whole envelope, if its text is saved separately. */
  readonly original?: Storage | undefined;
  readonly summary?: Awaited<ReturnType<Summarizer>>;
}

/** Larger artifacts are not read again for another preview. */
export const MAX_REREAD_BYTES = 64 * 1024 * 1024;
/** The text around the preview may take this share of the cap before a shorter form is used. */
const FRAME_SHARE = 0.6;
/** The error's message may take this share. */
const MESSAGE_SHARE = 0.1;
/** A preview that uses less of the cap than this is worth another try. */
const USED_SHARE = 0.8;
const MAX_STATS = 4;
const ROUNDS = 6;

/** Bytes of a value as JSON, which is how results are sent. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The result as a wrapper of at most this many bytes; the preview takes the remaining room. */
export async function capResult(context: HistoryContext, capped: CappedResult, maxBytes: number): Promise<Output> {
  const { bounded, summary, text } = capped;
  const { strategy } = bounded;
  const known = summary?.preview ?? text;
  const shows: readonly Show[] =
    known === undefined
      ? [
          await openArtifact(context, bounded),
          // The saved file may be JSON around the text that the preview is of.
          (room: number) => ({ ...cut(bounded.preview.text, room, strategy), of: "preview" as const }),
        ].filter((show) => show !== undefined)
      : [strategy, "head_tail" as const].map((one) => (room) => cut(known, room, one, context.query));
  let best: Output | undefined;
  for (const show of shows) {
    const output = await fill(context, capped, maxBytes, show);
    if (best === undefined || jsonBytes(output) > jsonBytes(best)) best = output;
    if (jsonBytes(best) >= maxBytes * USED_SHARE) break;
  }
  return best as Output;
}

/** A preview of the output, or of a preview that was made before. */
type Shown = Preview & { readonly of?: "preview" };
type Show = (room: number) => Shown | undefined | Promise<Shown | undefined>;

async function fill(context: HistoryContext, capped: CappedResult, maxBytes: number, show: Show): Promise<Output> {
  const { size, strategy } = capped.bounded;
  const empty = { text: "", truncated: true, strategy, source: size, kept: size, omissions: [], blocks: [] };
  const render = chooseFrame(context, capped, empty, maxBytes);
  let room = maxBytes - jsonBytes(render(empty));
  for (let round = 0; round < ROUNDS && room > 0; round++) {
    const shown = await show(room);
    if (shown === undefined) break;
    const output = render(shown);
    const over = jsonBytes(output) - maxBytes;
    if (over <= 0) return output;
    room -= over;
  }
  return render({ ...empty, kept: { lines: 0, bytes: 0, chars: 0 } });
}

type Render = (shown: Shown) => Output;

/** The longest form that leaves the preview its share; the shortest if none does. */
function chooseFrame(context: HistoryContext, capped: CappedResult, empty: Preview, maxBytes: number): Render {
  const { bounded, summary, original, envelope } = capped;
  const { tool, callId = "", outcome, storage, size } = bounded;
  const frameOf =
    (ending: Output, words?: (hint: Hint) => string): Render =>
    (shown) => {
      const made =
        summary !== undefined || shown.of === "preview"
          ? { ...bounded.hint, shown: { ...bounded.hint.shown, kept: shown.kept } }
          : hintOf(context, { outcome, storage }, shown);
      const hint = original === undefined ? made : { ...made, storage: original, ...textPathOf(storage) };
      const said = words === undefined ? hint : { ...hint, words: words(hint) };
      const told = summary && { ...summary, preview: shown.text };
      const facts = { tool, callId, chars: size.chars, preview: shown.text, hint: said };
      return wrap({ ...facts, summary: told, envelope: ending });
    };
  const bare = bareEnding(envelope, maxBytes);
  const frames = [
    frameOf(envelope),
    frameOf(bare),
    frameOf(bare, (hint) => renderShortHints(hint)[0] ?? ""),
    frameOf({ status: envelope.status }, () => ""),
  ];
  return frames.find((frame) => jsonBytes(frame(empty)) <= maxBytes * FRAME_SHARE) ?? (frames.at(-1) as Render);
}

/** The hint of a preview that was made again. */
export function hintOf(
  { reader }: HistoryContext,
  { outcome, storage }: { readonly outcome: Outcome; readonly storage: Storage },
  { source, kept, omissions, strategy, shape, unanswered }: Preview,
): Hint {
  const range = rangeOf(omissions, source, strategy);
  const binary = shape === "binary";
  return createHint({ outcome, size: source, kept, storage, omissions, range, reader, binary, unanswered });
}

function textPathOf(storage: Storage): Pick<Hint, "textPath"> {
  return "artifact" in storage ? { textPath: storage.artifact.path } : {};
}

/** How the call ended, with as few words as the cap asks for. */
function bareEnding({ status, error, stats = {} }: Output, maxBytes: number): Output {
  const { code, message = "" } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  const numbers = Object.entries(stats as Output).filter(([, value]) => typeof value === "number");
  const short = cut(message, maxBytes * MESSAGE_SHARE, "head_tail").text;
  return {
    status,
    ...(error === undefined ? {} : { error: { code, message: short } }),
    stats: Object.fromEntries(numbers.slice(0, MAX_STATS)),
  };
}

/** A reader of the saved output; undefined if it cannot be read or is too large to read again. */
async function openArtifact({ gate, query }: HistoryContext, bounded: BoundedResult): Promise<Show | undefined> {
  const { storage, strategy } = bounded;
  if (!("artifact" in storage)) return undefined;
  const { id } = storage.artifact;
  const found = await gate.store.find(id).catch(() => undefined);
  if (found?.manifest === undefined || found.manifest.bytes > MAX_REREAD_BYTES) return undefined;
  return (maxTokens) =>
    previewArtifact(gate.store, id, { strategy, maxTokens, query, countTokens: textBytes }).catch(() => undefined);
}

function cut(text: string, room: number, strategy: Strategy, query?: Query): Preview {
  const limits = { maxLines: Infinity, maxBytes: Infinity, maxTokens: Math.max(1, Math.floor(room)) };
  return previewText(text, { strategy, query, ...limits, countTokens: textBytes });
}

/** Bytes of a text inside JSON. */
function textBytes(text: string): number {
  return jsonBytes(text) - 2;
}
