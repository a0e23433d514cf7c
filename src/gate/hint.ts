import type { Omission, Size } from "../preview/types.ts";
import { type ReadRange, rangeOf } from "./read-range.ts";
import type { ItemCount, Outcome, Storage } from "./types.ts";

/** What a reader is assumed to have when nobody says. */
export const ASSUMED_TOOLS: readonly string[] = ["Read", "Grep"];

/** A next call that gets at what is not shown; `tool` is spelled as the reader knows it. */
export type NextCall =
  | { readonly kind: "delegate"; readonly tool: string; readonly agent: string }
  | { readonly kind: "search"; readonly tool: string }
  | { readonly kind: "read"; readonly tool: string; readonly range: ReadRange };

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
  readonly textPath?: string | undefined;
  /** As they lie in the artifact. */
  readonly omissions: readonly Omission[];
  readonly items?: ItemCount | undefined;
  /** Tools that the reader can call. */
  readonly tools: readonly string[];
}

const READERS = ["read", "read_file"];
const SEARCHERS = ["grep", "grep_search"];
const DELEGATES = ["task"];

/** Says what was cut, where the full output is, and which calls get at the rest, naming only tools that exist. */
export function createHint({ outcome, size, kept, storage, textPath, omissions, items, tools }: HintFacts): Hint {
  const shown = { kept, size, cut: omissions.length > 0, ...(items && { items }) };
  const next = "lost" in storage ? [] : nextCalls(tools, rangeOf(omissions));
  return { outcome, shown, storage, textPath, next };
}

function nextCalls(tools: readonly string[], range: ReadRange): NextCall[] {
  const delegate = findTool(tools, DELEGATES);
  const search = findTool(tools, SEARCHERS);
  const read = findTool(tools, READERS);
  return [
    ...(delegate === undefined ? [] : [{ kind: "delegate", tool: delegate, agent: "explore" } as const]),
    ...(search === undefined ? [] : [{ kind: "search", tool: search } as const]),
    ...(read === undefined ? [] : [{ kind: "read", tool: read, range } as const]),
  ];
}

function findTool(tools: readonly string[], names: readonly string[]): string | undefined {
  return tools.find((tool) => names.includes(tool.toLowerCase()));
}
