import { formatCount, formatPlural } from "../../preview/omission.ts";
import { describeOutcome, isNotable } from "../../protocol/outcome.ts";
import type { Hint, NextCall } from "../hint.ts";
import type { ReadRange } from "../read-range.ts";
import { relativeTo } from "./relative-to.ts";

/** Nothing is left out, but what was over the limit was more than text. */
const UNFORMATTED = "Its output is shown without formatting codes, all lines of it.";

export interface HintPlace {
  /** Paths below it are written relative to it. @default as they are */
  readonly root?: string | undefined;
}

/** The hint as text. */
export function renderHint(hint: Hint, { root }: HintPlace = {}): string {
  if (hint.words !== undefined) return hint.words;
  const { kept, size, cut, items } = hint.shown;
  const counted = items
    ? `${formatCount(items.kept)} of ${formatPlural(items.total, "item")}`
    : `${formatCount(kept.lines)} of ${formatPlural(size.lines, "line")}`;
  const shown = `${counted}, ${formatCount(kept.bytes)} of ${formatPlural(size.bytes, "byte")} shown`;
  const what = `${describeOutcome(hint.outcome)} ${cut ? `Its output was truncated (${shown}).` : UNFORMATTED}`;
  if ("lost" in hint.storage) {
    return `${what} The full output could not be saved: ${hint.storage.lost}. What is not shown is lost; run a narrower call to see it.`;
  }
  const place = (path: string) => (root === undefined ? path : relativeTo(root, path));
  const path = place(hint.storage.artifact.path);
  const textPath = hint.textPath === undefined ? undefined : place(hint.textPath);
  const beside = textPath === undefined ? "" : ` (its text alone: ${textPath})`;
  return `${what} Full output saved to: ${path}${beside}\n${sayNext(hint.next, textPath ?? path)}`;
}

/** A hint in few words: how it ended unless that was well, that something was cut, and where the whole is. */
export function renderShortHint({ outcome, storage }: Hint): string {
  const ending = isNotable(outcome) ? `${describeOutcome(outcome)} ` : "";
  return "lost" in storage
    ? `${ending}Truncated; full output lost: ${storage.lost}`
    : `${ending}Truncated. Full output: ${storage.artifact.path}`;
}

function sayNext(next: readonly NextCall[], path: string): string {
  const file = JSON.stringify(path);
  const delegate = next.find((call) => call.kind === "delegate");
  const search = next.find((call) => call.kind === "search");
  const read = next.find((call) => call.kind === "read");
  const searchCall = search && `${search.tool}(pattern="…", path=${file})`;
  const readCall = read && `${read.tool}(path=${file}, ${sayRange(read.range)})`;
  if (delegate !== undefined) {
    const using = [search?.tool, readCall].filter((part) => part !== undefined).join(" and ");
    const call = `${delegate.tool}(agent="${delegate.agent}", prompt="In ${path}, find …")`;
    return `Do not read the full file yourself. Delegate: ${call}${using === "" ? "" : `, which can use ${using}`}.`;
  }
  const own = [searchCall && `search it with ${searchCall}`, readCall && `read a part with ${readCall}`];
  const said = own.filter((part) => part !== undefined);
  return said.length === 0 ? "Do not read it whole." : `Do not read it whole: ${said.join(", or ")}.`;
}

function sayRange(range: ReadRange): string {
  return "limit" in range
    ? `offset=${range.offsetLine}, limit=${range.limit}`
    : `bytes="${range.startByte}-${range.endByte}"`;
}
