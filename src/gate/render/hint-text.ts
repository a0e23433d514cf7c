import path, { isAbsolute } from "node:path";
import { checkOptions, kinds } from "../../limits/options.ts";
import { pathBelow } from "../../platform/folders.ts";
import { formatCount, formatPlural } from "../../preview/omission.ts";
import { brieflyDescribe, describeOutcome, isNotable, type Outcome } from "../../protocol/outcome.ts";
import type { Hint, ToolCall } from "../hint.ts";
import { onOneLine } from "../quote-word.ts";

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

/** Below the root: relative to it, POSIX. Elsewhere, and for an address such as s3://bucket/name: as it is. */
export function relativeTo(root: string, location: string): string {
  return isAbsolute(location) ? pathBelow(root, location) || location : location;
}

/** Nothing is omitted; the output over the limit held more than text. */
const UNFORMATTED = "Output shown without formatting codes, all lines of it.";
/** Prevents a search for text that is not there. */
const UNANSWERED = "Nothing in it matches the question.";

export interface HintPlace {
  /** Paths below it are written relative to it. @default as they are */
  readonly root?: string | undefined;
}

/** The hint as text. The path appears once; only plain shell lines repeat it. */
export function renderHint(hint: Hint, place: HintPlace = {}): string {
  kinds.having("the hint of a result", "outcome", "storage", "shown")(hint, "The hint for renderHint()");
  const { root } = checkOptions(place, { root: kinds.text }, "renderHint()");
  if (hint.words !== undefined) return hint.words;
  const ending = describeOutcome(hint.outcome);
  const what = `${sayMark(hint)}${ending === "" ? "" : `${ending} `}${sayShown(hint)}`;
  if ("lost" in hint.storage) return `${what} ${sayLost(hint.storage.lost)}`;
  const lines = hint.next.flatMap((call) => ("line" in call ? call : []));
  const saved = lines.some((line) => line.spellsPath)
    ? `${sayWhole(hint)} saved.`
    : `${sayWhole(hint)} saved to: ${sayPlaces(hint, root)}`;
  const { unrecorded, spooled } = hint.storage;
  const missing = unrecorded === undefined ? "" : ` (${unrecorded}; the output itself is complete)`;
  const elsewhere = spooled === undefined ? "" : ` (${spooled}; "spillway store sync" uploads it later)`;
  const advice = [`${what} ${saved}${missing}${elsewhere}`, sayNext(hint), ...lines.map(({ line }) => line)];
  return [...advice, ...sayTables(hint)].join("\n");
}

/** The rows and a query that works as it is, if the reader can ask one. */
function sayTables({ tables }: Hint): readonly string[] {
  return tables?.call === undefined ? [] : [`Count and filter by SQL, ${tables.summary}: ${tables.call}`];
}

/** Shorter hints for small limits: the outcome (unless success) with the path, or the outcome alone. */
export function renderShortHints({ outcome, storage, mark }: Hint): readonly string[] {
  const least =
    "lost" in storage
      ? `Truncated; full output lost: ${storage.lost}`
      : `Truncated. ${sayWhole({ outcome })}: ${onOneLine(storage.artifact.path)}`;
  const endings = [describeOutcome(outcome), brieflyDescribe(outcome)];
  const notices = isNotable(outcome) ? [...endings.map((ending) => `${ending} ${least}`), ...endings] : [least];
  return notices.map((notice) => sayMark({ mark }) + notice);
}

/** Prefix of every notice next to a preview. */
function sayMark({ mark }: Pick<Hint, "mark">): string {
  return mark === undefined ? "" : `[${mark}] `;
}

/** The saved part of an output that was cut short is not complete. */
export function sayWhole({ outcome }: Pick<Hint, "outcome">): string {
  return "cutShort" in outcome && outcome.cutShort !== undefined ? "Partial output" : "Full output";
}

/** Where the full output is: its text, which can be searched by line, before the JSON around it. */
export function sayPlaces({ storage, textPath }: Hint, root: string | undefined): string {
  const place = (location: string) => onOneLine(root === undefined ? location : relativeTo(root, location));
  const full = "artifact" in storage ? place(storage.artifact.path) : "";
  return textPath === undefined ? full : `${place(textPath)} (the whole result as JSON: ${full})`;
}

/** Why there is no full output, and how to go on without it. */
export function sayLost(reason: string): string {
  return `The full output could not be saved: ${reason}. What is not shown is lost; run a narrower call to see it.`;
}

function sayShown(hint: Hint): string {
  if (hint.summarized === true)
    return `What is shown is a summary by a model, not the output itself (${formatPlural(hint.shown.size.lines, "line")}, ${formatPlural(hint.shown.size.bytes, "byte")}).`;
  if (hint.binary === true) return `Output truncated: ${formatPlural(hint.shown.size.bytes, "byte")} of binary data.`;
  const shown = hint.shown.cut ? `Output truncated: ${sayCounts(hint)} shown.` : UNFORMATTED;
  return hint.unanswered === true ? `${shown} ${UNANSWERED}` : shown;
}

/** How much of the output is shown: "100 of 700 items, 1,200 of 8,400 bytes". */
export function sayCounts({ shown: { kept, size, items } }: Hint): string {
  const counted = items
    ? `${formatCount(items.kept)} of ${formatPlural(items.total, "item")}`
    : `${formatCount(kept.lines)} of ${formatPlural(size.lines, "line")}`;
  return `${counted}, ${formatCount(kept.bytes)} of ${formatPlural(size.bytes, "byte")}`;
}

/** Next steps for binary output. */
export function sayBinaryNext({ next, storage }: Hint): string {
  const isFile = "artifact" in storage && path.isAbsolute(storage.artifact.path);
  const [read] = next;
  const bytes = read === undefined ? "" : "tool" in read ? `read bytes of it with ${sayCall(read)}` : "in a shell:";
  if (!isFile) return bytes === "" ? "No tool here can read it." : `It is binary: ${bytes}.`;
  const open = "It is binary: give the file to a program for its type (`file` names it)";
  if (bytes === "") return `${open}.`;
  return `${open}, or ${bytes}${bytes.endsWith(":") ? "" : "."}`;
}

function sayNext(hint: Hint): string {
  if (hint.binary === true) return sayBinaryNext(hint);
  const { next, storage } = hint;
  const calls = next.filter((call) => "tool" in call);
  const find = (use: ToolCall["use"]) => calls.find((call) => call.use === use);
  const [delegate, search, read] = [find("delegate"), find("search"), find("read")];
  const shell = calls.length < next.length;
  if (next.length === 0) {
    const file = "artifact" in storage && path.isAbsolute(storage.artifact.path);
    return file ? "Do not read it whole." : "No tool here can read it; run a narrower call to see more.";
  }
  const ways: (string | undefined)[] =
    delegate !== undefined
      ? [`delegate with ${sayCall(delegate)}`, [search?.tool, read && sayCall(read)].filter(Boolean).join(" and ")]
      : shell
        ? [search && `use ${search.tool}`, read && `${read.tool} with offset/limit`]
        : [search && `search it with ${sayCall(search)}`, read && `read a part with ${sayCall(read)}`];
  const said = ways.filter((way) => way !== undefined && way !== "").join(", or ");
  if (!shell) return `Do not read it whole: ${said}.`;
  return said === "" ? "Do not read it whole; in a shell:" : `Do not read it whole: ${said}, or in a shell:`;
}

/** `Read(path="…", offset=13, limit=200)`, or the name alone if there are no arguments. */
export function sayCall({ tool, args }: ToolCall): string {
  const given = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return given.length === 0 ? tool : `${tool}(${given.join(", ")})`;
}
