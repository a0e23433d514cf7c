import type { Manifest } from "../artifacts/types.ts";
import type { ShownAs } from "../gate/shown-as.ts";
import { createSpillway } from "../gate/spillway.ts";
import type { GateOptions, Governed } from "../gate/types.ts";
import { definedOnly } from "../limits/options.ts";
import { roughTokens } from "../preview/measure.ts";
import type { PreviewAnswer } from "./api.ts";
import { type Found, readStart } from "./library.ts";

/** A value that is bounded by its items is parsed whole. */
const LARGEST_VALUE = 64 * 1024 * 1024;

/** Changes to how an output was shown; none shows it as it was. */
export type ReplayOptions = Pick<
  GateOptions,
  "strategy" | "maxLines" | "maxBytes" | "maxChars" | "maxTokens" | "query"
>;

/**
 * Shows an artifact again through the gate: as the model saw it, or with other options. `shownBytes` is the size of
 * recorded then, and tells whether this is to the byte the same.
 */
export async function replay(
  found: Found,
  changes: ReplayOptions,
  shownBytes: number | undefined,
): Promise<PreviewAnswer> {
  const shown = found.manifest?.shown as ShownAs | undefined;
  const changed = Object.values(changes).some((value) => value !== undefined);
  const spillway = createSpillway({ config: false, env: {}, redact: false, store: found.store });
  const { id, name, path } = found;
  // Nothing is saved again, and nothing counted: this only looks.
  const options = { ...optionsOf(shown, changes, found.manifest), savedAs: { id, name, path }, counted: false };
  const value = shown?.items === undefined ? undefined : await valueAt(found, shown.items);
  const governed = await spillway.govern(value === undefined ? found.store.read(found.id) : { value }, options);
  return answerOf(governed, changed ? undefined : shownBytes);
}

function optionsOf(shown: ShownAs | undefined, changes: ReplayOptions, manifest: Manifest | undefined): GateOptions {
  const { strategy, maxLines, maxBytes, maxChars, maxTokens, query, outcome, reader, markers } = shown ?? {};
  const given = definedOnly(changes);
  return {
    tool: manifest?.tool,
    callId: manifest?.callId,
    strategy,
    maxLines,
    maxBytes,
    maxChars,
    maxTokens,
    query,
    outcome,
    markers,
    ...reader,
    ...given,
  };
}

/** The part of the saved JSON that was bounded by its items; undefined where that cannot be had. */
async function valueAt(found: Found, at: readonly string[]): Promise<unknown> {
  if ((found.manifest?.bytes ?? Number.POSITIVE_INFINITY) > LARGEST_VALUE) return undefined;
  try {
    const bytes = await readStart(found, found.manifest?.bytes ?? 0);
    let value = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    for (const key of at) value = (value as Record<string, unknown>)[key];
    return value;
  } catch {
    return undefined;
  }
}

function answerOf(governed: Governed, shownBytes: number | undefined): PreviewAnswer {
  const { size } = governed;
  const source = { lines: size.lines, bytes: size.bytes };
  if (governed.kind === "whole") {
    const everything = { startLine: 1, endLine: Math.max(1, size.lines), reason: "all", score: 0 };
    return {
      text: governed.text,
      notice: "",
      truncated: false,
      strategy: governed.strategy,
      unanswered: false,
      source,
      kept: source,
      tokens: roughTokens(size),
      blocks: [everything],
      omissions: [],
      asShown: false,
    };
  }
  const { preview, notice } = governed;
  const text = notice === "" ? preview.text : `${preview.text}\n\n${notice}`;
  const bytes = Buffer.byteLength(text);
  return {
    text: preview.text,
    notice,
    truncated: true,
    strategy: preview.strategy,
    ...(preview.shape === undefined ? {} : { shape: preview.shape }),
    unanswered: preview.unanswered === true,
    source,
    kept: { lines: preview.kept.lines, bytes: preview.kept.bytes },
    tokens: roughTokens({ chars: text.length, bytes }),
    blocks: preview.blocks,
    omissions: preview.omissions,
    asShown: shownBytes === bytes,
  };
}
