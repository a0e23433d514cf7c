import { gapMarker, type HeldLine, showLine } from "../../lines/line-drawing.ts";
import { HEADING, OPEN, OPEN_SHORT } from "../../mark.ts";
import { formatPlural } from "../../omission.ts";
import { makeSelection, type Piece, type Selection } from "../analyzer.ts";
import type { Item, ItemCandidate, ItemLine } from "./item.ts";

interface ItemsFrame {
  readonly title: string;
  readonly noun: string;
  readonly lineChars: number;
  /** Lines of the whole text. */
  readonly lines: number;
  /** Items of the whole text. */
  readonly items: number;
}

/** What stands in the text, from one line of the output to another. */
interface Drawn {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly blanks: number;
  readonly outline: boolean;
  readonly label: boolean;
  readonly index: number;
}

/** The chosen lines and labels in the order of the text, each with what is left out after it. */
export function renderItems(chosen: readonly ItemCandidate[], frame: ItemsFrame): Selection {
  const pieces: Piece[] = [];
  const show = (held: HeldLine, value: number): string => {
    const { text, regions } = showLine(held, frame.lineChars);
    for (const { start, end } of regions) {
      const { line, byte, char, inLine } = start;
      pieces.push({
        start: { line, byte, char, inLine },
        end,
        reason: frame.noun,
        score: Math.round(value * 100) / 10,
      });
    }
    return text;
  };
  const drawn = chosen.map(({ item, line, value }) =>
    line === undefined ? drawLabel(item, value, frame.lineChars, show) : drawLine(item, line, show(line.held, value)),
  );
  drawn.sort((a, b) => a.from - b.from);
  const text = [`${HEADING}${frame.title}]`];
  let before: Drawn | undefined;
  for (const next of drawn) {
    if (before !== undefined && next.from <= before.to) continue;
    text.push(...gap(before, next, frame, text));
    text.push(next.text);
    before = next;
  }
  if (before !== undefined) text.push(...gap(before, undefined, frame, text));
  return makeSelection(text.join("\n"), pieces);
}

function drawLine(item: Item, line: ItemLine, text: string): Drawn {
  const { line: at } = line.held;
  return { from: at, to: at, text, blanks: line.blanks, outline: line.rank > 0, label: false, index: item.index };
}

function drawLabel(
  item: Item,
  value: number,
  lineChars: number,
  show: (held: HeldLine, value: number) => string,
): Drawn {
  const telling = item.lines.reduce<ItemLine | undefined>(
    (most, line) => (most === undefined || line.rank > most.rank ? line : most),
    undefined,
  );
  if (telling !== undefined) show(telling.held, value);
  const label = item.label ?? "";
  const cut = label.slice(0, lineChars).replace(/[\ud800-\udbff]$/, "");
  const { firstLine: from, lastLine: to, index } = item;
  const text = to > from ? `${cut} ${OPEN_SHORT} ${from}-${to} …` : label.length > cut.length ? `${cut} …` : cut;
  return { from, to, text, blanks: item.lines[0]?.blanks ?? 0, outline: true, label: true, index };
}

/** Says what is left out between two; after a line of the outline it stands on that line. */
function gap(before: Drawn | undefined, next: Drawn | undefined, frame: ItemsFrame, text: string[]): string[] {
  const from = (before?.to ?? 0) + 1;
  const to = (next === undefined ? frame.lines : next.from - 1) - (next?.blanks ?? 0);
  if (to < from) return [];
  const range = from === to ? `${from}` : `${from}-${to}`;
  if (before?.label === true || next?.label === true) {
    const items = (next?.index ?? frame.items) - (before?.index ?? -1) - 1;
    if (items <= 0 && before?.label === true) return [];
    return [items > 0 ? `${OPEN} ${formatPlural(items, frame.noun)}: lines ${range} …` : `${OPEN} lines ${range} …`];
  }
  if (before?.outline !== true) return [gapMarker(from, to)];
  text[text.length - 1] = `${text.at(-1)} ${OPEN_SHORT} ${range} …`;
  return [];
}
