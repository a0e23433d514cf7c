import { cleanLine } from "../../clean.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { fillRoom, roomChars } from "../lines/fill-room.ts";
import { Floor } from "../lines/floor.ts";
import { copyText, type HeldLine, holdLine } from "../lines/held-line.ts";
import { LineReader, type LineSpan } from "../lines/line-reader.ts";
import { pathKind } from "../lines/path-kind.ts";
import { addTallies, Relevance } from "../lines/relevance.ts";
import { FolderCounts } from "../lines/top-folder.ts";
import { GrepRanking, type HeldHit, type HitFile, hitPrior } from "./grep-ranking.ts";
import { HitParser } from "./hit-parser.ts";
import { renderGrep } from "./render-grep.ts";

const MAX_FILES = 10_000;

/** Reads search results: spread over files and folders, source first, definitions before uses. */
export function createGrepAnalyzer(options: AnalyzerOptions): Analyzer {
  return new GrepAnalyzer(options);
}

class GrepAnalyzer implements Analyzer {
  readonly #parser = new HitParser();
  readonly #reader = new LineReader((text, span) => this.#take(text, span));
  readonly #relevance: Relevance;
  readonly #paths: Relevance;
  readonly #ranking: GrepRanking;
  readonly #maxHeld: number;
  readonly #folders = new FolderCounts();
  readonly #headings = new Map<HitFile, HeldLine>();
  readonly #floor = new Floor();
  #known = new Map<string, HitFile>();
  #file: HitFile | undefined;
  #held: HeldHit[] = [];
  #heldChars = 0;
  #matches = 0;
  #files = 0;
  #others = 0;
  #weighed = 0;

  constructor({ room, query }: AnalyzerOptions) {
    this.#relevance = new Relevance(query);
    this.#paths = new Relevance(query);
    this.#ranking = new GrepRanking(this.#relevance, this.#paths);
    this.#maxHeld = Math.max(400_000, 8 * roomChars(room));
  }

  get wrongShape(): boolean {
    return this.#others > 20 && this.#others > this.#matches / 4;
  }

  get work(): number {
    return this.#reader.work + this.#weighed;
  }

  write(chunk: Uint8Array): void {
    this.#reader.write(chunk);
  }

  finish(room: Room, _total: Position): Selection {
    this.#reader.end();
    const lineChars = Math.max(80, Math.min(300, Math.floor(roomChars(room) / 12)));
    const totals = { matches: this.#matches, files: this.#files, folders: this.#folders.counts };
    return fillRoom(
      this.#ranking.rank(this.#held),
      (hit) => ({ chars: Math.min(hit.held.chars, lineChars) + 8, lines: 1 }),
      (chosen) => renderGrep(chosen, this.#headings, totals, lineChars),
      room,
    );
  }

  #take(raw: string, span: Readonly<LineSpan>): void {
    const text = cleanLine(raw);
    const parsed = this.#parser.next(text);
    if (parsed.kind === "separator") return;
    const file = this.#file !== undefined && this.#file.path === parsed.path ? this.#file : this.#fileAt(parsed.path);
    this.#file = file;
    if (parsed.kind === "heading") {
      if (this.#headings.size < MAX_FILES) this.#headings.set(file, holdLine(raw, span));
      return;
    }
    if (parsed.kind === "other") this.#others++;
    const match = parsed.kind === "match";
    const said = text.slice(parsed.textAt, parsed.textAt + 2000);
    const tally = this.#relevance.tally(said);
    this.#relevance.observe(tally);
    if (match) {
      this.#matches++;
      file.matches++;
      file.tally = addTallies(file.tally, tally);
      this.#folders.add(parsed.path);
    }
    const { textAt } = parsed;
    const prior = hitPrior(said);
    if (!this.#floor.admits(this.#ranking.score({ file, match, tally, prior }), span.line)) return;
    const held = holdLine(raw, span);
    this.#held.push({ file, held, match, textAt, tally, prior, score: 0 });
    this.#heldChars += held.text.length + 150;
    if (this.#heldChars < this.#maxHeld) return;
    this.#weighed += this.#held.length;
    this.#held = this.#floor.betterHalf(this.#held, (other) => ({
      worth: this.#ranking.score(other),
      place: other.held.line,
    }));
    this.#heldChars = this.#held.reduce((sum, other) => sum + other.held.text.length + 150, 0);
  }

  #fileAt(name: string): HitFile {
    const found = this.#known.get(name);
    if (found !== undefined) return found;
    const path = copyText(name);
    const pathTally = this.#paths.tally(path);
    this.#paths.observe(pathTally);
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const file: HitFile = { path, folder, kind: pathKind(path), pathTally, tally: undefined, matches: 0, rank: 0 };
    this.#files++;
    // Files that come back later are rare; forgetting the oldest half only splits their counts.
    if (this.#known.size >= MAX_FILES) this.#known = new Map([...this.#known].slice(MAX_FILES / 2));
    this.#known.set(path, file);
    return file;
  }
}
