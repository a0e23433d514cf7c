import { cleanText } from "../../clean.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import type { Analyzer, AnalyzerOptions, Piece, Position, Room, Selection } from "../analyzer.ts";
import { fillRoom, roomChars } from "../lines/fill-room.ts";
import { Relevance } from "../lines/relevance.ts";
import { HtmlScanner } from "./html-scanner.ts";
import { type PageBlock, PageBlocks } from "./page-blocks.ts";
import { PageRanking } from "./page-ranking.ts";

/** Blocks worth less than this share of the best are not part of what the page says. */
const NOISE = 0.02;

/** Reads HTML or XML: the title, then the text that the page is about; menus and scripts stay out. */
export function createHtmlAnalyzer(options: AnalyzerOptions): Analyzer {
  return new HtmlAnalyzer(options);
}

class HtmlAnalyzer implements Analyzer {
  readonly #ranking: PageRanking;
  readonly #blocks: PageBlocks;
  readonly #scanner: HtmlScanner;
  readonly #maxHeld: number;
  #held: PageBlock[] = [];
  #heldChars = 0;
  #count = 0;
  #bytes = 0;
  #weighed = 0;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query);
    this.#ranking = new PageRanking(relevance);
    this.#blocks = new PageBlocks(relevance, (block) => this.#hold(block));
    this.#scanner = new HtmlScanner(this.#blocks);
    this.#maxHeld = Math.max(400_000, 8 * roomChars(room));
  }

  get wrongShape(): boolean {
    return this.#bytes > 4096 && this.#scanner.tags * 2000 < this.#bytes;
  }

  get work(): number {
    return this.#bytes + this.#weighed;
  }

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#scanner.write(chunk);
  }

  finish(room: Room, total: Position): Selection {
    this.#scanner.end();
    this.#blocks.flush();
    this.#ranking.score(this.#held);
    // Menus and links stay out even where there is room: they only hide the text.
    const best = this.#held.reduce((most, { kind, score }) => (kind === "title" ? most : Math.max(most, score)), 0);
    const ranked = this.#held
      .filter(({ score }) => score >= best * NOISE)
      .sort((a, b) => b.score - a.score || a.index - b.index);
    const chars = ranked.reduce((sum, block) => sum + block.text.length, 0);
    // Where all fits, nothing is cut.
    const most = chars < roomChars(room) / 2 ? roomChars(room) : Math.max(200, Math.floor(roomChars(room) / 5));
    return fillRoom(
      ranked,
      (block) => ({
        chars: Math.min(block.text.length, most) + 8,
        lines: block.kind === "pre" ? countLines(block.text) : 2,
      }),
      (chosen) => this.#render(chosen, most, total),
      room,
    );
  }

  #render(chosen: readonly PageBlock[], most: number, total: Position): Selection {
    const left = this.#count - chosen.length;
    const lines = [
      `[page text: ${formatPlural(this.#count, "block")} in ${formatPlural(total.byte, "byte")} of markup; ${formatCount(left)} left out]`,
    ];
    const pieces: Piece[] = [];
    let next = 0;
    for (const block of [...chosen].sort((a, b) => a.index - b.index)) {
      if (block.index > next) lines.push(`… ${formatPlural(block.index - next, "block")} …`);
      next = block.index + 1;
      const shown = block.text.length > most ? wellCut(block.text, most) : block.text;
      const rest = block.text.length + block.cut - shown.length;
      lines.push(cleanText(mark(block) + shown) + (rest > 0 ? ` … ${formatPlural(rest, "character")} …` : ""));
      for (const run of block.runs) {
        if (run.textEnd > shown.length + 1) break;
        pieces.push({
          start: run.start,
          end: run.end,
          reason: block.kind === "" ? "text" : block.kind,
          score: block.score,
        });
      }
    }
    if (next < this.#count) lines.push(`… ${formatPlural(this.#count - next, "block")} …`);
    return { text: lines.join("\n"), pieces };
  }

  #hold(block: PageBlock): void {
    this.#count = block.index + 1;
    this.#ranking.note(block);
    this.#held.push(block);
    this.#heldChars += block.text.length + 200;
    if (this.#heldChars < this.#maxHeld) return;
    this.#weighed += this.#held.length;
    this.#held = this.#ranking.bestHalf(this.#held);
    this.#heldChars = this.#held.reduce((sum, held) => sum + held.text.length + 200, 0);
  }
}

/** Headings and list items keep their form. */
function mark(block: PageBlock): string {
  const level = /^h([1-6])$/.exec(block.kind)?.[1];
  if (level !== undefined) return `${"#".repeat(Number(level))} `;
  if (block.kind === "title") return "# ";
  return block.kind === "li" ? "- " : "";
}

function wellCut(text: string, chars: number): string {
  const cut = text.slice(0, chars);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}

function countLines(text: string): number {
  return text.split("\n").length + 1;
}
