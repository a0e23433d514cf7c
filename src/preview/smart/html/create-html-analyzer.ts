import { byteLength } from "../../../bytes/utf8.ts";
import { Relevance } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import type { Answers } from "../answers/answer-finder.ts";
import type { Answer } from "../answers/choose-answers.ts";
import { isPageElement } from "./elements.ts";
import { HtmlScanner } from "./html-scanner.ts";
import { type PageBlock, PageBlocks } from "./page-blocks.ts";
import { isHeading, linkDensity, PageRanking, PageReservoir } from "./page-reservoir.ts";
import { CUT_CHARS, planPage, renderPage } from "./plan-page.ts";

/** Reads HTML or XML: the title, then the text that the page is about; menus and scripts stay out. */
export function createHtmlAnalyzer(options: AnalyzerOptions): Analyzer {
  return new HtmlAnalyzer(options);
}

/** Of data in XML at least this share is text, or its attributes are what it tells. */
const LEAST_TEXT = 0.02;

class HtmlAnalyzer implements Analyzer {
  readonly #held: PageReservoir;
  readonly #blocks: PageBlocks;
  readonly #scanner: HtmlScanner;
  #count = 0;
  #bytes = 0;
  #textChars = 0;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query, { addresses: false });
    this.#held = new PageReservoir(new PageRanking(relevance), Math.max(400_000, 8 * roomChars(room)));
    this.#blocks = new PageBlocks(relevance, (block) => {
      this.#count = block.index + 1;
      this.#textChars += block.text.length + block.cut;
      this.#held.add(block);
    });
    this.#scanner = new HtmlScanner(this.#blocks);
  }

  get wrongShape(): boolean {
    if (this.#bytes > 4096 && this.#scanner.tags * 2000 < this.#bytes) return true;
    if (isPageElement(this.#blocks.root)) return false;
    // Data in XML is nothing without its tags; where it stands in lines, these are shown.
    if (this.#scanner.lines * 300 > this.#bytes) return true;
    return this.#bytes > 4096 && this.#textChars < LEAST_TEXT * this.#bytes;
  }

  get work(): number {
    return this.#bytes + this.#held.weighed;
  }

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#scanner.write(chunk);
    this.#held.leave();
  }

  finish(room: Room, total: Position, answers?: Answers): Selection {
    this.#scanner.end();
    this.#blocks.flush();
    const blocks = this.#held.ranked();
    const answering = answeringBlocks(blocks, answers?.answers ?? []);
    const { ranked, limitOf } = planPage(blocks, charsWithin(room, blocks), answering);
    const frame = { blocks: this.#count, bytes: total.byte };
    return fillRoom(
      ranked,
      (block) => ({
        chars: Math.min(block.text.length, limitOf(block) + CUT_CHARS) + 4,
        lines: block.kind === "pre" ? block.text.split("\n").length + 1 : 1,
      }),
      (chosen) => renderPage(chosen, limitOf, frame),
      room,
    );
  }
}

/** How many characters of these texts the room holds. */
function charsWithin(room: Room, blocks: readonly PageBlock[]): number {
  let chars = 1;
  let bytes = 1;
  for (const { text } of blocks) {
    chars += text.length;
    bytes += byteLength(text);
  }
  return Math.min(room.chars, (room.bytes * chars) / bytes, room.tokens * 4);
}

/** From here on a block is a link to what is told elsewhere. */
const MERE_LINK = 0.5;

/** The blocks in which answers stand, the best first; for a link in a table of contents the heading that it leads to. */
export function answeringBlocks(blocks: readonly PageBlock[], answers: readonly Answer[]): readonly PageBlock[] {
  return answers.flatMap(({ row }) =>
    blocks
      .filter(({ runs }) => runs.some(({ start, end }) => start.byte < row.byte + row.bytes && end.byte > row.byte))
      .flatMap((block) => {
        if (linkDensity(block) < MERE_LINK) return [block];
        return blocks.filter((other) => isHeading(other) && other.text === block.text);
      }),
  );
}
