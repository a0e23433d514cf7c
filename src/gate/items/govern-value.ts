import { stringifyJson } from "../../bytes/json/stringify-json.ts";
import { fitsRoom } from "../../preview/fit.ts";
import { chooseMark } from "../../preview/mark.ts";
import { measure } from "../../preview/measure.ts";
import { estimateTokens } from "../../preview/tokens/estimate-tokens.ts";
import type { Omission, Preview, Size } from "../../preview/types.ts";
import { ArtifactSink } from "../artifact-sink.ts";
import { type CaptureContext, completionOf, findTables } from "../capture.ts";
import { createHint, type Hint } from "../hint.ts";
import { renderValue } from "../output.ts";
import { type ReadRange, rangeOf, widestRanges } from "../reader.ts";
import { digestOf } from "../records.ts";
import { fitNotice, fitsBeside, longestOf, renderNotices } from "../render/notice.ts";
import { shownAs } from "../shown-as.ts";
import type { BoundedResult, GateOptions, Governed, ItemCount, KeptStructure, Outcome, Storage } from "../types.ts";
import { boundValue, countItems } from "./bound-value.ts";
import { type PartPath, sumSizes } from "./find-parts.ts";
import { type KeptPart, replaceAt } from "./keep-parts.ts";
import { isWithin, type MeasuredValue, measureValue } from "./measure-value.ts";
import { renderParts } from "./render-parts.ts";

export interface GovernValueOptions {
  /** The value as pretty-printed JSON. */
  readonly text: string;
  readonly outcome: Outcome;
  readonly saved: GateOptions["saved"];
}

type Bounded = Pick<BoundedResult, "preview" | "storage" | "hint" | "notice" | "structured">;

/** Bounds a value by the items and texts it is made of; undefined for one that has none. */
export async function governValue(
  context: CaptureContext,
  value: unknown,
  options: GovernValueOptions,
): Promise<Governed | undefined> {
  const { tool, callId, limits, strategy, countTokens = estimateTokens } = context;
  const measured = measureValue(value, limits);
  if (measured === undefined) return undefined;
  const { outcome, text } = options;
  const { redacted } = context;
  const taken = redacted === undefined ? {} : { redacted };
  const base = { tool, callId, outcome, limits, strategy, size: measured.size, ...taken };
  const { maxLines: lines, maxBytes: bytes, maxChars: chars, maxTokens: tokens } = limits;
  const room = { lines, bytes, chars, tokens, countTokens };
  const compact = stringifyJson(measured.value);
  // What stands around the parts of an envelope's data is little, and shown with the rest of the envelope.
  const whole = isWithin(measured, limits, countTokens) && (options.saved !== undefined || fitsRoom(compact, room));
  const governed: Governed = whole
    ? { ...base, kind: "whole", text: fitsRoom(text, room) ? text : compact, value }
    : { ...base, kind: "bounded", ...(await bound(context, measured, options)) };
  context.onFinish(governed);
  return governed;
}

/** The beginning of the JSON that tells its tables. */
const PROBED_CHARS = 32_768;

async function bound(
  context: CaptureContext,
  measured: MeasuredValue,
  { text, outcome, saved }: GovernValueOptions,
): Promise<Bounded> {
  const { limits, strategy, query, countTokens, reader } = context;
  const { size } = measured;
  const artifact = saved === undefined ? text : renderValue(saved.value);
  const { storage, sha256 } = await save(context, artifact, outcome, saved?.at);
  const mark = chooseMark(sha256 ?? digestOf(artifact), artifact);
  const saving = measure(artifact);
  const tables = await findTables(Buffer.from(artifact.slice(0, PROBED_CHARS)), context);
  const hintOf = (
    kept: Size,
    items: ItemCount | undefined,
    omission: Omission | undefined,
    range?: ReadRange,
  ): Hint => {
    const omissions = omission === undefined ? [] : [omission];
    const next = range ?? rangeOf(omissions, saving, strategy);
    const hint = createHint({ outcome, size, kept, items, storage, omissions, mark, range: next, reader, tables });
    return context.words === undefined ? hint : { ...hint, words: context.words(hint) };
  };
  const hintFor = (kept: readonly KeptPart[]): Hint =>
    hintOf(
      sumSizes(kept.map((part) => part.kept)),
      countItems(kept).items,
      locateOmission(artifact, saved?.at ?? [], kept),
    );

  const all = { ...saving, startLine: 1, endLine: saving.lines, startByte: 0, endByte: saving.bytes };
  const items = { total: size.lines, kept: size.lines };
  const wide = widestRanges(saving).map((range) => renderNotices(hintOf(size, items, all, range)));
  const fitted = fitNotice(longestOf(wide), limits, countTokens);

  const { lines, bytes, chars, tokens } = fitted.reserve;
  const shown = renderParts(
    measured.value,
    measured.parts,
    {
      lines: limits.maxLines - lines,
      bytes: limits.maxBytes - bytes,
      chars: limits.maxChars - chars,
      tokens: limits.maxTokens - tokens,
      countTokens: countTokens ?? estimateTokens,
    },
    { strategy, query, mark },
  );
  const preview: Preview = {
    text: shown.text,
    truncated: true,
    strategy,
    source: size,
    kept: sumSizes(shown.kept.map((part) => part.kept)),
    omissions: inOneText(shown.kept),
    blocks: [],
    mark,
  };
  const hint = hintFor(shown.kept);
  const notice = renderNotices(hint)[fitted.index] ?? "";
  const fits = fitsBeside(preview.text, notice, limits, countTokens);
  const kept = boundValue(measured, { limits, strategy, query, mark, countTokens, reserve: fitted.reserve });
  const structured: KeptStructure = { ...kept, hint: hintFor(kept.parts) };
  return { preview, storage, hint, notice: fits ? notice : "", structured };
}

async function save(
  context: CaptureContext,
  text: string,
  outcome: Outcome,
  at: readonly string[] = [],
): Promise<{ readonly storage: Storage; readonly sha256: string | undefined }> {
  const { store, storeTimeoutMs, tool, callId, command, extension } = context;
  const sink = new ArtifactSink(store, storeTimeoutMs);
  await sink.open({ tool, callId, command, extension }, [Buffer.from(text)]);
  const storage = await sink.close(completionOf(outcome, context.redacted, shownAs(context, outcome, at)));
  return { storage, sha256: sink.sha256 };
}

/** The parts' omissions as if the parts were one text, one after the other. */
function inOneText(parts: readonly KeptPart[]): readonly Omission[] {
  let line = 0;
  let byte = 0;
  return parts.flatMap(({ part, omissions }) => {
    const moved = omissions.map((omission) => ({
      ...omission,
      startLine: omission.startLine + line,
      endLine: omission.endLine + line,
      startByte: omission.startByte + byte,
      endByte: omission.endByte + byte,
    }));
    line += part.size.lines;
    byte += part.size.bytes;
    return moved;
  });
}

/** No JSON text holds this as it stands, since a control character in it is escaped. */
const MARK = "\u0000spillway";
const MARK_IN_JSON = JSON.stringify(MARK);

/** Where the first omission begins in the pretty-printed JSON that was saved, in which the value stands at `at`. */
function locateOmission(saved: string, at: PartPath, parts: readonly KeptPart[]): Omission | undefined {
  const first = parts.find(({ omissions }) => omissions.length > 0);
  if (first === undefined) return undefined;
  const { part } = first;
  const omission = first.omissions[0]!;
  const index = omission.startLine - 1;
  const inner = part.kind === "list" ? [part.keys?.[index] ?? index] : [];
  const marked = markPlace(saved, [...at, ...part.path, ...inner]);
  const before = marked.slice(0, marked.indexOf(MARK_IN_JSON));
  const startLine = before.split("\n").length;
  const startByte = Buffer.byteLength(before);
  const endByte = Buffer.byteLength(saved);
  if (part.kind === "list") {
    const endLine = saved.split("\n").length;
    const lines = endLine - startLine + 1;
    return {
      lines,
      bytes: endByte - startByte,
      chars: saved.length - before.length,
      startLine,
      endLine,
      startByte,
      endByte,
    };
  }
  const text = Buffer.from(part.text);
  const bytesUpTo = (end: number): number => Buffer.byteLength(JSON.stringify(text.subarray(0, end).toString())) - 1;
  const from = startByte + bytesUpTo(omission.startByte);
  const to = startByte + bytesUpTo(omission.endByte);
  return {
    lines: 0,
    bytes: to - from,
    chars: omission.chars,
    startLine,
    endLine: startLine,
    startByte: from,
    endByte: to,
  };
}

/** What was saved up to the place, and a mark there; only the mark when what was saved is no JSON. */
function markPlace(saved: string, place: PartPath): string {
  try {
    return JSON.stringify(replaceAt(JSON.parse(saved), place, MARK), null, 2);
  } catch {
    return MARK_IN_JSON;
  }
}
