import { describeOutcome, type Outcome } from "../../protocol/outcome.ts";
import type { Hint } from "../hint.ts";
import type { ToolCall } from "../next-calls.ts";
import {
  type HintPlace,
  renderHint,
  sayBinaryNext,
  sayCall,
  sayCounts,
  sayLost,
  sayPlaces,
  sayWhole,
} from "./hint-text.ts";
import { relativeTo } from "./relative-to.ts";

/** The hint in the words that hosts of `Truncate` look for; in ours where these would not be true. */
export function renderPlainHint(hint: Hint, place: HintPlace = {}): string {
  const { storage, shown, words } = hint;
  if (words !== undefined || !shown.cut) return renderHint(hint, place);
  const what = sayVerdict(hint.outcome);
  if ("lost" in storage) return `${what} ${sayLost(storage.lost)}`;
  if (hint.binary === true)
    return `${what} ${sayWhole(hint)} saved to: ${sayPlaces(hint, place.root)}\n${sayBinaryNext(hint)}`;
  if (!callOf(hint, "search") || !callOf(hint, "read")) return renderHint(hint, place);
  const advice = callOf(hint, "delegate")
    ? "Use the Task tool to have a subagent process this file with Grep and Read (with offset/limit). \nDo NOT read the full file yourself - delegate to save context."
    : "Use Grep to search the full content or Read with offset/limit to view specific sections.";
  return `${what} ${sayWhole(hint)} saved to: ${sayPlaces(hint, place.root)}\n${advice}`;
}

function sayVerdict(outcome: Outcome): string {
  if (outcome.kind === "success" && outcome.unseen === true) return "The output was truncated.";
  const ended = outcome.kind === "success" ? "succeeded but" : "failed, and";
  return `The tool call ${ended} the output was truncated.`;
}

/** The same for hosts of `ObservationTruncator`, followed by how it failed, how much is shown and how to read on. */
export function renderObservationHint(hint: Hint, place: HintPlace = {}): string {
  const plain = renderPlainHint(hint, place);
  const read = callOf(hint, "read");
  if (plain === renderHint(hint, place) || hint.binary === true || "lost" in hint.storage || read === undefined)
    return plain;
  const { outcome, textPath } = hint;
  const failed = outcome.kind !== "success" && outcome.message !== "" ? `${describeOutcome(outcome)} ` : "";
  const text = textPath === undefined ? {} : { path: spell(textPath, place) };
  const next = sayCall({ ...read, args: { ...text, ...read.args } });
  return `${plain}\n${failed}Shown: ${sayCounts(hint)}. To read on${textPath === undefined ? "" : " in its text"}: ${next}.`;
}

function callOf({ next }: Hint, use: ToolCall["use"]): ToolCall | undefined {
  return next.flatMap((call) => ("tool" in call && call.use === use ? call : []))[0];
}

function spell(location: string, { root }: HintPlace): string {
  return root === undefined ? location : relativeTo(root, location);
}
