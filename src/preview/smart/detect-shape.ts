import { looksLikeCode } from "../engine/looks-like-code.ts";
import { looksAligned, looksDelimited, looksLikeCoverage, looksTitled } from "./csv/looks-like-table.ts";
import { looksLikeDiff } from "./diff/looks-like-diff.ts";
import {
  looksLikeHeadedMatches,
  looksLikeLongMatches,
  looksLikeMatches,
  looksLikeUnnumberedMatches,
  numbersOf,
} from "./grep/looks-like-matches.ts";
import { historyForm } from "./history/history-forms.ts";
import { looksLikePage, looksLikeTaggedData } from "./html/looks-like-page.ts";
import { looksLikeListing } from "./listing/looks-like-listing.ts";
import { looksLikeFindings } from "./log/looks-like-findings.ts";
import { jsonLine, looksLikeJson } from "./looks-like-json.ts";
import { looksLikeOutline } from "./outline/looks-like-outline.ts";
import { looksLikePlan } from "./plan/plan-grammar.ts";
import { looksLikeProse } from "./prose/looks-like-prose.ts";
import { Sample } from "./sample.ts";

/** What an output looks like. */
export type Shape =
  | "log"
  | "test run"
  | "trace"
  | "diff"
  | "grep"
  | "listing"
  | "json"
  | "html"
  | "csv"
  | "code"
  | "prose"
  | "history"
  | "plan"
  | "outline";

/** What a test runner says first; whatever its tests print, the output is a run. */
const TEST_SESSION =
  /^=+ test session starts =+$|^Creating test database for alias |^Testing against \S+ installed in |^TAP version \d+$|^running \d+ tests?$|^=== RUN {3}\S|^\[INFO\] {2}T E S T S$/;
const OPENING_LINES = 40;

/** The shapes in the order in which they are tried: the first that holds is the output's. */
const SHAPES: readonly (readonly [shape: Shape, holds: (sample: Sample) => boolean])[] = [
  ["json", beginsWithJson],
  ["outline", looksLikeTaggedData],
  ["html", looksLikePage],
  ["json", continuesWithJson],
  ["diff", looksLikeDiff],
  ["log", beginsTestRun],
  ["grep", looksLikeLongMatches],
  ["log", ({ short }) => short],
  ["history", ({ filled }) => historyForm(filled) !== undefined],
  ["csv", looksLikeCoverage],
  ["grep", looksLikeMatches],
  ["code", (sample) => numbersOf(sample) === "code"],
  ["grep", (sample) => numbersOf(sample) === "grep"],
  ["grep", looksLikeHeadedMatches],
  ["grep", looksLikeUnnumberedMatches],
  // What linters print may be aligned like a table, or have headings like a document.
  ["log", ({ filled }) => looksLikeFindings(filled)],
  ["csv", looksAligned],
  ["csv", looksTitled],
  ["listing", looksLikeListing],
  ["code", ({ all }) => looksLikeCode(all)],
  ["csv", looksDelimited],
  ["plan", ({ filled }) => looksLikePlan(filled)],
  ["prose", ({ lines }) => looksLikeProse(lines)],
  ["outline", ({ filled }) => looksLikeOutline(filled)],
];

/** Guesses the shape from the beginning of an output; what has no clear shape is a log. */
export function detectShape(beginning: Uint8Array): Shape {
  const sample = new Sample(beginning);
  return SHAPES.find(([, holds]) => holds(sample))?.[0] ?? "log";
}

function beginsWithJson(sample: Sample): boolean {
  return /^[[{]/.test(sample.opening) && looksLikeJson(sample.text);
}

/** True for JSON behind lines of something else. */
function continuesWithJson({ looked }: Sample): boolean {
  const begins = jsonLine(looked);
  return begins > 0 && looksLikeJson(looked.slice(begins).join("\n").trimStart());
}

function beginsTestRun({ filled }: Sample): boolean {
  return filled.slice(0, OPENING_LINES).some((line) => TEST_SESSION.test(line));
}
