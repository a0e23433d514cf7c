import { formatCount, formatPlural } from "../preview/omission.ts";
import type { Omission } from "../preview/types.ts";
import { describeOutcome } from "../protocol/outcome.ts";
import type { HintFacts } from "./types.ts";

/** Lines that a suggested read asks for. */
const READ_LINES = 200;
/** Bytes that a suggested read asks for inside a long line. */
const READ_BYTES = 16_384;

/** What a reader is assumed to have when nobody says. */
export const ASSUMED_TOOLS: readonly string[] = ["Read", "Grep"];

/** Nothing is left out, but what was over the limit was more than text. */
const UNFORMATTED = "Its output is shown without formatting codes, all lines of it.";

const READERS = ["read", "read_file"];
const SEARCHERS = ["grep", "grep_search"];
const DELEGATES = ["task"];

/** What was cut, where the full output is, and a next call that works, naming only tools that exist. */
export function createHint(facts: HintFacts): string {
  const shown = `${formatCount(facts.kept.lines)} of ${formatPlural(facts.size.lines, "line")}, ${formatCount(facts.kept.bytes)} of ${formatPlural(facts.size.bytes, "byte")} shown`;
  const cut = `${describeOutcome(facts.outcome)} ${facts.firstOmission === undefined ? UNFORMATTED : `Its output was truncated (${shown}).`}`;
  if ("lost" in facts.storage) {
    return `${cut} The full output could not be saved: ${facts.storage.lost}. What is not shown is lost; run a narrower call to see it.`;
  }
  const { path } = facts.storage.artifact;
  const beside = facts.textPath === undefined ? "" : ` (its text alone: ${facts.textPath})`;
  return `${cut} Full output saved to: ${path}${beside}\n${sayNext(facts, facts.textPath ?? path)}`;
}

function sayNext(facts: HintFacts, path: string): string {
  const read = findTool(facts.tools, READERS);
  const grep = findTool(facts.tools, SEARCHERS);
  const task = findTool(facts.tools, DELEGATES);
  const file = JSON.stringify(path);
  const readCall = read === undefined ? undefined : `${read}(path=${file}, ${sayRange(nextRead(facts.firstOmission))})`;
  const grepCall = grep === undefined ? undefined : `${grep}(pattern="…", path=${file})`;
  const own = [
    grepCall === undefined ? undefined : `search it with ${grepCall}`,
    readCall === undefined ? undefined : `read a part with ${readCall}`,
  ].filter((part) => part !== undefined);
  if (task !== undefined) {
    const using = [grep, readCall].filter((part) => part !== undefined).join(" and ");
    const delegate = `${task}(agent="explore", prompt="In ${path}, find …")`;
    return `Do not read the full file yourself. Delegate: ${delegate}${using === "" ? "" : `, which can use ${using}`}.`;
  }
  if (own.length === 0) return "Do not read it whole.";
  return `Do not read it whole: ${own.join(", or ")}.`;
}

/** Where to read on: by line when the first omission starts with a line, by byte when it starts inside one. */
export type NextRead =
  | { readonly offsetLine: number; readonly limit: number }
  | { readonly startByte: number; readonly endByte: number };

/** A part of the output that the preview does not show, small enough to be read at once. */
export function nextRead(omission: Omission | undefined): NextRead {
  if (omission === undefined) return { offsetLine: 1, limit: READ_LINES };
  const { lines, startLine, endLine, startByte, endByte } = omission;
  if (lines === endLine - startLine + 1) return { offsetLine: startLine, limit: READ_LINES };
  return { startByte, endByte: Math.min(endByte, startByte + READ_BYTES) };
}

function sayRange(next: NextRead): string {
  return "limit" in next
    ? `offset=${next.offsetLine}, limit=${next.limit}`
    : `bytes="${next.startByte}-${next.endByte}"`;
}

function findTool(tools: readonly string[], names: readonly string[]): string | undefined {
  return tools.find((tool) => names.includes(tool.toLowerCase()));
}
