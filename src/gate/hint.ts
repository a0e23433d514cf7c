import type { Omission, Size } from "../preview/types.ts";
import { type NextCall, nextBinaryCalls, nextCalls } from "./next-calls.ts";
import type { ReadRange } from "./read-range.ts";
import type { Reader } from "./reader.ts";
import type { ItemCount, Outcome, Storage } from "./types.ts";

/** What was cut, where the full output is, and what to do next: data, until a renderer writes it. */
export interface Hint {
  readonly outcome: Outcome;
  readonly shown: {
    readonly kept: Size;
    readonly size: Size;
    /** False when nothing but formatting codes was left out. */
    readonly cut: boolean;
    /** Set when the output is made of items: these are counted instead of lines. */
    readonly items?: ItemCount | undefined;
  };
  readonly storage: Storage;
  /** The text alone, when it stands in a file beside the artifact; the calls then go there. */
  readonly textPath?: string | undefined;
  readonly next: readonly NextCall[];
  /** Set when nothing in the output matches the reader's question. */
  readonly unanswered?: true | undefined;
  /** Set when the output is no text: neither a search nor lines of it help. */
  readonly binary?: true | undefined;
  /** Set when a model's summary is shown instead of a preview. */
  readonly summarized?: true | undefined;
  /** What markers in the preview carry, and the notice too: no text of the output has it. */
  readonly mark?: string | undefined;
  /** The host's own wording, which stands instead of ours. */
  readonly words?: string | undefined;
}

/** What a hint is made of. */
export interface HintFacts {
  readonly outcome: Outcome;
  readonly size: Size;
  /** Lines and bytes of the output that the preview shows. */
  readonly kept: Size;
  readonly storage: Storage;
  readonly omissions: readonly Omission[];
  readonly items?: ItemCount | undefined;
  readonly unanswered?: boolean | undefined;
  readonly binary?: boolean | undefined;
  readonly mark?: string | undefined;
  /** The part of the artifact that is worth reading next. */
  readonly range: ReadRange;
  readonly reader: Reader;
}

/** Says what was cut, where the full output is, and which calls get at the rest, naming only what the reader has. */
export function createHint(facts: HintFacts): Hint {
  const { outcome, size, kept, storage, omissions, items, unanswered, binary, mark, range, reader } = facts;
  const shown = { kept, size, cut: omissions.length > 0, ...(items && { items }) };
  const callsFor = binary === true ? nextBinaryCalls : nextCalls;
  const next = "lost" in storage ? [] : callsFor(reader, storage.artifact, range);
  return {
    outcome,
    shown,
    storage,
    next,
    ...(unanswered === true && { unanswered }),
    ...(binary === true && { binary }),
    ...(mark !== undefined && { mark }),
  };
}
