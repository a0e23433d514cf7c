import { countNewlines } from "../../bytes/count-newlines.ts";
import { toPosix } from "../sandbox/sandbox.ts";
import type { FoundMatch, GrepCollector } from "./collector.ts";
import { showLine, showLines } from "./collector.ts";
import type { RipgrepOutput, RipgrepSearch } from "./search-with-ripgrep.ts";
import { SearchedFile } from "./searched-file.ts";

/** A longer event holds matches too long to show; it is only counted, so that memory stays bounded. */
const MAX_EVENT_BYTES = 16 << 20;
const MATCH_EVENT = '{"type":"match"';

type RipgrepText = { readonly text: string } | { readonly bytes: string };

interface FoundLines {
  readonly lines: RipgrepText;
  readonly line_number: number;
  readonly absolute_offset: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

type RipgrepEvent =
  | { readonly type: "begin"; readonly data: { readonly path: RipgrepText } }
  | { readonly type: "match" | "context"; readonly data: FoundLines }
  | { readonly type: "end" | "summary" };

/** Parses `rg --json`: unlike plain lines, it gives the start and end of a match across lines. */
export function readEvents(search: RipgrepSearch, collector: GrepCollector): RipgrepOutput {
  const file = new SearchedFile(search, collector);

  function onEvent(event: RipgrepEvent): void {
    if (event.type === "begin") file.open(toPosix(bytesOf(event.data.path).toString()));
    if (!file.accepted || (event.type !== "match" && event.type !== "context")) return;
    const block = bytesOf(event.data.lines);
    if (search.witness?.confirms(event.data.absolute_offset, block) === false) file.doubt();
    if (!file.accepted) return;
    file.begin();
    const { entry } = file;
    const matches = event.type === "match" ? splitMatches(block, event.data) : [];
    collector.totalMatches += matches.length;
    if (entry === undefined) return;
    for (const match of matches) collector.add(entry, match);
    if (search.showContext === 0) return;
    const lines = block.toString().replace(/\n$/, "").split("\n");
    for (const [at, line] of lines.entries()) collector.addContext(entry, event.data.line_number + at, showLine(line));
  }

  function onTooLong(beginning: string): void {
    if (!file.accepted || !beginning.startsWith(MATCH_EVENT)) return;
    file.begin();
    collector.totalMatches++;
    const most = MAX_EVENT_BYTES >> 20;
    file.failed.push(`${file.name}: matches in more than ${most} MB on end are not shown and count as one`);
  }

  return { file, push: splitLines((line) => onEvent(JSON.parse(line.toString())), onTooLong) };
}

/** The matches in a block of lines. Those that begin in the same line are one match, as they are without multiline. */
function splitMatches(block: Buffer, found: FoundLines): FoundMatch[] {
  const whole = [{ start: 0, end: block.length }];
  const matches: FoundMatch[] = [];
  let line = found.line_number;
  let lineStart = 0;
  for (const { start, end } of found.submatches.length > 0 ? found.submatches : whole) {
    for (let next = block.indexOf(10, lineStart); next !== -1 && next < start; next = block.indexOf(10, lineStart)) {
      lineStart = next + 1;
      line++;
    }
    const lastByte = Math.max(start, end - 1);
    const lineEnd = block.indexOf(10, lastByte);
    const text = showLines(block.subarray(lineStart, lineEnd === -1 ? block.length : lineEnd).toString());
    const endLine = line + countNewlines(block.subarray(lineStart, lastByte));
    const same = matches.at(-1)?.line === line ? matches.pop() : undefined;
    matches.push({ line, endLine, matchByte: same?.matchByte ?? found.absolute_offset + start, text });
  }
  return matches;
}

function bytesOf(text: RipgrepText): Buffer {
  return "text" in text ? Buffer.from(text.text) : Buffer.from(text.bytes, "base64");
}

/** Passes on whole lines, or only the beginning of a line that is too long. */
function splitLines(onLine: (line: Buffer) => void, onTooLong: (beginning: string) => void) {
  let parts: Buffer[] = [];
  let size = 0;
  let beginning = "";
  const add = (part: Buffer) => {
    if (size === 0) beginning = part.toString("latin1", 0, MATCH_EVENT.length);
    size += part.length;
    if (size > MAX_EVENT_BYTES) parts = [];
    else parts.push(part);
  };
  return (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      if (size > MAX_EVENT_BYTES) onTooLong(beginning);
      else onLine(Buffer.concat(parts));
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };
}
