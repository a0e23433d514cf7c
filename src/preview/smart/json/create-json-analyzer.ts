import { concat } from "../../../bytes/concat.ts";
import { decode } from "../../../bytes/utf8.ts";
import { Relevance } from "../../../query/relevance.ts";
import { lineCost, shrinkRoom } from "../../fit.ts";
import { roomChars } from "../../lines/fill-room.ts";
import { gapMarker, type HeldLine, holdLine, LineDrawing } from "../../lines/line-drawing.ts";
import { LineReader } from "../../lines/line-reader.ts";
import {
  type Analyzer,
  type AnalyzerOptions,
  makeSelection,
  type Position,
  type Room,
  type Selection,
} from "../analyzer.ts";
import { jsonStart } from "../looks-like-json.ts";
import { selectJson } from "./draw-json.ts";
import { JsonScanner, MAX_TRAILING_BYTES } from "./json-scanner.ts";
import { JsonTree } from "./json-tree.ts";
import { type Plan, planPreview } from "./plan-preview.ts";

/** Text before the JSON may have this share of the JSON's bytes. */
const MAX_BEFORE_SHARE = 0.5;
/** Text after it that is longer shows that the JSON is only a part of the output. */
const MAX_AFTER_SHARE = 1 / 8;
/** The share of the room for the lines before the JSON, and for those after it. */
const ROOM_SHARE = 1 / 6;
const LINE_CHARS = 200;
const NOTHING = new Uint8Array(0);

/**
 * Reads JSON, JSON lines or values in a row, and the lines before and after them. Shows the structure and the items
 * that are severe, unusual or asked for.
 */
export function createJsonAnalyzer(options: AnalyzerOptions): Analyzer {
  return new JsonAnalyzer(options);
}

class JsonAnalyzer implements Analyzer {
  readonly #tree: JsonTree;
  readonly #scanner: JsonScanner;
  /** The beginning of the output until it is known where JSON begins, such as warnings of the program that printed it. */
  #held: Uint8Array | undefined = NOTHING;
  #before: readonly HeldLine[] = [];
  /** Set once everything has been read. */
  #plan: Plan | undefined;

  constructor({ room, query }: AnalyzerOptions) {
    const chars = roomChars(room);
    this.#tree = new JsonTree({
      relevance: new Relevance(query),
      maxWeight: Math.max(600_000, 8 * chars),
      maxItems: Math.max(400, Math.min(1000, Math.floor(chars / 80))),
    });
    this.#scanner = new JsonScanner(this.#tree);
  }

  get wrongShape(): boolean {
    const { malformed, work } = this.#scanner;
    const before = this.#before.reduce((sum, { bytes }) => sum + bytes, 0);
    return before > MAX_BEFORE_SHARE * work || (malformed && !this.#endsWithText);
  }

  get work(): number {
    return this.#scanner.work + this.#tree.weighed;
  }

  write(chunk: Uint8Array): void {
    if (this.#held === undefined) {
      this.#scanner.write(chunk);
      return;
    }
    const held = this.#held.length === 0 ? chunk : concat([this.#held, chunk], this.#held.length + chunk.length);
    const start = jsonStart(held);
    if (start === undefined) this.#held = held.slice();
    else this.#begin(held, start);
  }

  finish(room: Room, total: Position): Selection {
    if (this.#held !== undefined) this.#begin(this.#held, 0);
    this.#plan ??= this.#end();
    const plan = this.#plan;
    const { root } = this.#tree;
    const { trailing } = this.#scanner;
    const after = this.#endsWithText ? linesAfter(trailing, total) : [];
    return drawBetween(this.#before, after, room, (rest) => selectJson(root, plan, rest, total.byte));
  }

  /** True when what is not JSON comes after it, and is short enough to be shown. */
  get #endsWithText(): boolean {
    const { malformed, depth, work, ended } = this.#scanner;
    return malformed && depth === 0 && work - ended <= Math.min(MAX_TRAILING_BYTES, MAX_AFTER_SHARE * ended);
  }

  #begin(bytes: Uint8Array, start: number): void {
    const before = bytes.subarray(0, start);
    this.#held = undefined;
    this.#before = linesOf(before);
    this.#tree.skip(before);
    this.#scanner.write(bytes.subarray(start));
  }

  #end(): Plan {
    this.#scanner.finish();
    this.#tree.settle();
    return planPreview(this.#tree.root);
  }
}

function linesOf(bytes: Uint8Array): HeldLine[] {
  const lines: HeldLine[] = [];
  const reader = new LineReader((text, span) => lines.push(holdLine(text, span)));
  reader.write(bytes);
  reader.end();
  return lines;
}

/** The filled lines of the text after the JSON, which ends at `end`, without the rest of the JSON's last line. */
function linesAfter(bytes: Uint8Array, end: Position): HeldLine[] {
  const text = decode(bytes);
  const line = end.line - text.split("\n").length;
  const byte = end.byte - bytes.length;
  const char = end.char - text.length;
  return linesOf(bytes)
    .filter((held) => held.line > 1 && held.text.trim() !== "")
    .map((held) => ({ ...held, line: held.line + line, byte: held.byte + byte, char: held.char + char }));
}

/** Draws the first lines before the JSON and the last lines after it, and between them what `select` gives. */
function drawBetween(
  before: readonly HeldLine[],
  after: readonly HeldLine[],
  room: Room,
  select: (rest: Room) => Selection,
): Selection {
  const chars = ROOM_SHARE * roomChars(room);
  const head = drawLines(before, firstWithin(before, chars), "before the JSON");
  const foot = drawLines(after, firstWithin([...after].reverse(), chars).reverse(), "after the JSON");
  const around = [head, foot].filter(({ text }) => text !== "");
  const rest = around.reduce((left, { text }) => {
    return shrinkRoom(left, { ...lineCost(text, room), lines: text.split("\n").length });
  }, room);
  const body = select(rest);
  if (body.text === "" || around.length === 0) return body;
  const parts = [head, body, foot].filter(({ text }) => text !== "");
  return makeSelection(
    parts.map(({ text }) => text).join("\n"),
    parts.flatMap(({ pieces }) => pieces),
  );
}

function drawLines(lines: readonly HeldLine[], shown: readonly HeldLine[], reason: string): Selection {
  const drawing = new LineDrawing({ lineChars: LINE_CHARS, marker: gapMarker });
  const left = lines.filter((held) => !shown.includes(held));
  const marker = gapMarker(left[0]?.line ?? 0, left.at(-1)?.line ?? 0);
  if (left.length > 0 && left[0] === lines[0]) drawing.note(marker);
  for (const held of shown) drawing.show(held, reason, 1);
  if (left.length > 0 && left[0] !== lines[0]) drawing.note(marker);
  return drawing.finish();
}

/** The first lines that so many characters hold. */
function firstWithin(lines: readonly HeldLine[], chars: number): HeldLine[] {
  let left = chars;
  return lines.filter(({ text }) => {
    left -= Math.min(text.length, LINE_CHARS) + 1;
    return left >= 0;
  });
}
