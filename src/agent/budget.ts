import { invalidArgument, SpillwayError } from "../errors.ts";
import { fairShare } from "../gate/items/fair-share.ts";
import type { SessionEvent } from "./events.ts";
import type { Entry, SentResult } from "./transcript.ts";

/** Estimated tokens that requests are held to. */
export interface Budget {
  /** A whole request: system prompt, tools and messages. */
  readonly maxInputTokens: number;
  /** All results of one step together. */
  readonly maxTurnTokens: number;
}

export interface BudgetOptions {
  /** Tokens of the model's window. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** History shrinks once a request passes the first share of the budget, and then down to the second at once. */
const HIGH_WATER = 0.85;
const LOW_WATER = 0.5;
/** Results of the newest steps stay as they are for as long as possible. */
const KEPT_STEPS = 2;
/** Below this a stub saves nothing worth a broken prompt cache. */
const MIN_GAIN_TOKENS = 100;

/** A tenth of the window stays free, since tokens are estimated. */
export function resolveBudget(options: BudgetOptions): Budget {
  const maxInputTokens = Math.floor(options.contextWindow * 0.9) - options.maxOutputTokens;
  if (maxInputTokens < 1_000) {
    throw invalidArgument(
      `A window of ${options.contextWindow} tokens leaves no room beside ${options.maxOutputTokens} tokens of output.`,
    );
  }
  return { maxInputTokens, maxTurnTokens: Math.floor(maxInputTokens * 0.3) };
}

/** The budget corrected by the provider: an earlier refusal, and the ratio of its count to the estimate. */
export function correctBudget(budget: Budget, events: readonly SessionEvent[]): Budget {
  const learned = events.findLast((event) => event.type === "budget.learned")?.maxInputTokens ?? Infinity;
  const last = events.findLast((event) => event.type === "model");
  const ratio = last === undefined ? 1 : last.usage.inputTokens / Math.max(1, last.estimatedTokens);
  const maxInputTokens = Math.floor(Math.min(learned, budget.maxInputTokens / Math.min(4, Math.max(1, ratio))));
  return { maxInputTokens, maxTurnTokens: Math.floor((maxInputTokens * budget.maxTurnTokens) / budget.maxInputTokens) };
}

/** Shares `total` so that small sizes stay whole and the large ones are cut to one common height. */
export function shareFairly(sizes: readonly number[], total: number): number[] {
  const most = fairShare(sizes, total);
  return sizes.map((size) => Math.min(size, most));
}

export interface HistoryPlan {
  readonly stub: readonly SentResult[];
  /** Messages up to this event are no longer sent. */
  readonly dropThroughSeq?: number | undefined;
}

/**
 * Results that must shrink before the next request; undefined while there is room. `fixedTokens` is the constant part of
 * a request. The oldest results shrink first, many at once, so that the requests in between share their prefix.
 */
export function planHistory(
  entries: readonly Entry[],
  fixedTokens: number,
  maxInputTokens: number,
): HistoryPlan | undefined {
  let tokens = fixedTokens + entries.reduce((sum, entry) => sum + entry.tokens, 0);
  if (tokens <= maxInputTokens * HIGH_WATER) return undefined;
  const target = maxInputTokens * LOW_WATER;
  const steps = entries.filter((entry) => entry.results.length > 0);
  const stub: SentResult[] = [];
  const saved = new Map<number, number>();
  const stubStep = (step: Entry, goal: number) => {
    for (const result of step.results) {
      if (tokens <= goal) return;
      const gain = result.stubbed ? 0 : result.gain();
      if (gain < MIN_GAIN_TOKENS) continue;
      stub.push(result);
      saved.set(step.seq, (saved.get(step.seq) ?? 0) + gain);
      tokens -= gain;
    }
  };
  for (const step of steps.slice(0, -KEPT_STEPS)) stubStep(step, target);
  for (const step of steps.slice(-KEPT_STEPS)) stubStep(step, maxInputTokens * HIGH_WATER);

  let dropThroughSeq: number | undefined;
  if (tokens > maxInputTokens * HIGH_WATER) {
    // The newest step stays too; a call and its results share one seq and go together.
    const newest = entries.at(-1)?.seq;
    for (const entry of entries) {
      if (entry.seq === newest || (tokens <= target && entry.seq !== dropThroughSeq)) break;
      if (entry.fixed) continue;
      tokens -= entry.tokens - (entry.results.length > 0 ? (saved.get(entry.seq) ?? 0) : 0);
      dropThroughSeq = entry.seq;
    }
  }
  if (tokens > maxInputTokens) {
    throw new SpillwayError(
      "MODEL_FAILED",
      `The newest message alone needs about ${Math.ceil(tokens)} tokens, and ${maxInputTokens} are allowed.`,
      { details: { tokens, maxInputTokens } },
    );
  }
  return stub.length === 0 && dropThroughSeq === undefined ? undefined : { stub, dropThroughSeq };
}
