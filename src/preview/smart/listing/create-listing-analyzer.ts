import { cleanLine } from "../../clean.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { fillRoom, roomChars } from "../lines/fill-room.ts";
import { Floor } from "../lines/floor.ts";
import { copyText, holdLine } from "../lines/held-line.ts";
import { LineReader, type LineSpan } from "../lines/line-reader.ts";
import { folderKind, kindInFolder, type PathKind } from "../lines/path-kind.ts";
import { addTallies, Relevance } from "../lines/relevance.ts";
import { FolderCounts } from "../lines/top-folder.ts";
import { EntryParser } from "./entry-parser.ts";
import { entryPrior, type HeldEntry, ListingRanking } from "./listing-ranking.ts";
import { renderListing } from "./render-listing.ts";

/** Reads a listing of paths: spread over folders, source before tests, docs and generated files. */
export function createListingAnalyzer(options: AnalyzerOptions): Analyzer {
  return new ListingAnalyzer(options);
}

class ListingAnalyzer implements Analyzer {
  readonly #parser = new EntryParser();
  readonly #reader = new LineReader((text, span) => this.#take(text, span));
  readonly #relevance: Relevance;
  readonly #ranking: ListingRanking;
  readonly #folders = new FolderCounts();
  readonly #floor = new Floor();
  readonly #maxHeld: number;
  /** The folder of the last entry: the next one is likely to stand in it too. */
  #parent = "";
  #parentKind: PathKind = "source";
  #parentDepth = 0;
  #parentTally: ReturnType<Relevance["tally"]>;
  #held: HeldEntry[] = [];
  #heldChars = 0;
  #entries = 0;
  #proseLike = 0;
  #weighed = 0;

  constructor({ room, query }: AnalyzerOptions) {
    this.#relevance = new Relevance(query);
    this.#ranking = new ListingRanking(this.#relevance);
    this.#maxHeld = Math.max(1_000_000, 8 * roomChars(room));
  }

  get wrongShape(): boolean {
    return this.#proseLike > 20 && this.#proseLike > this.#entries / 4;
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
    return fillRoom(
      this.#ranking.rank(this.#held),
      (entry) => ({ chars: Math.min(entry.held.chars, lineChars), lines: 1 }),
      (chosen) => renderListing(chosen, this.#entries, this.#folders.counts, lineChars),
      room,
    );
  }

  #enter(parent: string): void {
    this.#parent = copyText(parent);
    this.#parentTally = this.#relevance.tally(parent);
    this.#parentKind = folderKind(parent.includes("\\") ? parent.replaceAll("\\", "/") : parent);
    this.#parentDepth = 0;
    for (let at = parent.indexOf("/"); at >= 0; at = parent.indexOf("/", at + 1)) this.#parentDepth++;
  }

  #take(raw: string, span: Readonly<LineSpan>): void {
    const parsed = this.#parser.next(cleanLine(raw));
    if (parsed === undefined) return;
    this.#entries++;
    const { path, size, folder } = parsed;
    if (path.includes(" ") && path.split(" ", 5).length > 4) this.#proseLike++;
    this.#folders.add(path);
    const slash = path.lastIndexOf("/", path.length - 2);
    if (slash + 1 !== this.#parent.length || !path.startsWith(this.#parent)) this.#enter(path.slice(0, slash + 1));
    const name = path.slice(slash + 1);
    const nameTally = this.#relevance.tally(name);
    this.#relevance.observe(addTallies(nameTally, this.#parentTally));
    const kind = kindInFolder(name, this.#parentKind);
    const prior = entryPrior(name, this.#parentDepth, kind, size, folder);
    const folderTally = this.#parentTally;
    if (!this.#floor.admits(this.#ranking.worth({ nameTally, folderTally, prior }), span.line)) return;
    const held = holdLine(raw, span);
    this.#held.push({
      held,
      path: path === raw ? held.text : copyText(path),
      parent: this.#parent,
      kind,
      size,
      folder,
      nameTally,
      folderTally,
      prior,
      score: 0,
    });
    this.#heldChars += held.text.length + 100;
    if (this.#heldChars < this.#maxHeld) return;
    this.#weighed += this.#held.length;
    this.#held = this.#floor.betterHalf(this.#held, (other) => ({
      worth: this.#ranking.worth(other),
      place: other.held.line,
    }));
    this.#heldChars = this.#held.reduce((sum, other) => sum + other.held.text.length + 100, 0);
  }
}
