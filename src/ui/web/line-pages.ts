import { remember } from "../../bytes/remember.ts";
import { readLines } from "./source.ts";

const PAGE = 200;
const REMEMBERED = 60;
const SETTLE_MS = 30;

/** Lines of an output in pages, read when they come into view and forgotten when there are many. */
export class LinePages {
  readonly #id: string;
  readonly #changed: () => void;
  readonly #pages = new Map<number, Map<number, string>>();
  readonly #asked = new Set<number>();
  #wanted: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, changed: () => void) {
    this.#id = id;
    this.#changed = changed;
  }

  line(line: number): string | undefined {
    return this.#pages.get(Math.floor((line - 1) / PAGE))?.get(line);
  }

  /** Says which lines are in view; what flies by is not read. */
  want(from: number, length: number): void {
    const first = Math.floor((from - 1) / PAGE);
    const last = Math.floor((from + length - 2) / PAGE);
    const wanted: number[] = [];
    for (let page = first; page <= last; page++)
      if (!this.#pages.has(page) && !this.#asked.has(page)) wanted.push(page);
    if (wanted.length === 0) return;
    this.#wanted = wanted;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const page of this.#wanted) void this.#read(page);
    }, SETTLE_MS);
  }

  async #read(page: number): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    try {
      const lines = new Map<number, string>();
      const end = (page + 1) * PAGE;
      for (let at = page * PAGE + 1; at <= end; ) {
        const answer = await readLines(this.#id, at, end - at + 1);
        if (answer.lines.length === 0) break;
        for (const [index, text] of answer.lines.entries()) lines.set(answer.from + index, text);
        at = answer.from + answer.lines.length;
        if (at > answer.totalLines) break;
        this.#keep(page, lines);
      }
      this.#keep(page, lines);
    } finally {
      this.#asked.delete(page);
    }
  }

  #keep(page: number, lines: Map<number, string>): void {
    remember(this.#pages, page, lines, REMEMBERED);
    this.#changed();
  }
}
