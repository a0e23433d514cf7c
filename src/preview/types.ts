import type { LimitOptions, Limits, Strategy } from "../limits/types.ts";
import type { Query } from "../query/query-context.ts";

/** Sizes of a text: source lines, UTF-8 bytes, UTF-16 units. */
export interface Size {
  readonly lines: number;
  readonly bytes: number;
  readonly chars: number;
}

/**
 * One region of the output that the preview leaves out. `lines` counts whole lines; it is 0 when the region lies
 * inside one line. Lines are counted from 1 and inclusive, bytes from 0 and half open, both in the raw output.
 */
export interface Omission {
  readonly lines: number;
  readonly bytes: number;
  readonly chars: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  readonly endByte: number;
}

/** Why a block of lines was kept, for `--explain`. */
export interface KeptBlock {
  readonly startLine: number;
  readonly endLine: number;
  /** A short reason such as "compiler error", "summary", "head", "question: timeout". */
  readonly reason: string;
  readonly score: number;
}

/**
 * What the model sees of an output. Laws: `text` exceeds no limit; `kept` + the sum of `omissions` = `source` in lines
 * and bytes; `text` is valid Unicode; the same bytes give the same preview in whatever chunks they came.
 */
export interface Preview {
  readonly text: string;
  readonly truncated: boolean;
  readonly strategy: Strategy;
  readonly source: Size;
  readonly kept: Size;
  readonly omissions: readonly Omission[];
  /** Kept text without markers, in order; what `Truncate` shows. */
  readonly blocks: readonly KeptBlock[];
  /** What the content looks like: "binary", and with `smart` also "log", "json", … */
  readonly shape?: string;
  /** What its markers carry, where they were to be told from the output's own text. */
  readonly mark?: string;
  /** Set when nothing that the question names stands in the output; only `smart` looks for it. */
  readonly unanswered?: true;
}

/** Room to leave free for a notice that is put beside the preview. */
export interface Reserve {
  readonly lines: number;
  readonly bytes: number;
  readonly chars: number;
  readonly tokens: number;
}

/** Where markers stand, and whether they count against the limits. */
export type Markers = "inside" | "outside" | "on_top";

export interface FinishOptions {
  /** Room to leave free for what stands beside the preview. @default nothing */
  readonly reserve?: Reserve | undefined;
  /**
   * `inside`: markers stand between the kept blocks and count against the limits. `outside`: the text holds kept lines
   * only and the limits bound just these (the `Truncate` module); the caller writes its own marker. `on_top`: markers stand
   * between kept lines, and the limits bound the lines alone; `smart` counts markers all the same.
   * @default "inside"
   */
  readonly markers?: Markers | undefined;
  /**
   * Hex digits that the output cannot know, best its own sha256. Markers then carry six of them, and lines of the output
   * that have the form of a marker or a notice begin with "output> ". @default neither
   */
  readonly mark?: string | undefined;
  /**
   * True when what printed the output is known to have failed, such as a command by its exit code; `smart` then looks
   * for the reason in an output of any shape. @default unknown
   */
  readonly failed?: boolean | undefined;
}

/** Takes an output chunk by chunk in memory bounded by the limits, and gives its preview at the end. */
export interface Accumulator {
  /** Takes the next bytes; a chunk may end inside a code point. The accumulator copies what it keeps. */
  write(chunk: Uint8Array): void;
  /** What has come so far. */
  readonly size: Size;
  /** True once the output so far exceeds a limit; never turns false again. */
  readonly over: boolean;
  /** True when the preview may turn out to be `unanswered`, which a notice needs room to say. */
  readonly asked?: boolean;
  /** Ends the output. Within limits the text is the decoded output, untouched. Nothing may be written after it. */
  finish(options?: FinishOptions): Preview;
}

export interface AccumulatorOptions {
  /** What is not given is as in `preview()`. */
  readonly limits: Omit<LimitOptions, "strategy">;
  /** What of the output is kept. */
  readonly strategy: Strategy;
  /** The question the reader has, or what is known of why the call was made; only `smart` uses it. */
  readonly query?: Query | undefined;
  /** Exact token counter; else `estimateTokens`. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** What `finish` will be asked for, where it is known; `smart` then reads long outputs for it from the start. */
  readonly markers?: FinishOptions["markers"] | undefined;
}

/** The same with every limit filled in. */
export interface CompleteOptions extends Omit<AccumulatorOptions, "query"> {
  readonly limits: Limits;
  readonly query?: string | undefined;
}
