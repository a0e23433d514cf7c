import { addTallies, Relevance, type Tally } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { copyText, type HeldLine, holdLine } from "../../lines/held-line.ts";
import { LineAnalyzer } from "../../lines/line-analyzer.ts";
import { type LineSpan, shownText } from "../../lines/line-reader.ts";
import { kindInFolder } from "../../lines/path-kind.ts";
import { Reservoir } from "../../lines/reservoir.ts";
import { FolderCounts } from "../../lines/top-folder.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { ZERO } from "../zero.ts";
import { EntryParser } from "./entry-parser.ts";
import { countOf, FolderWay, TOP } from "./folder-way.ts";
import { entryBulk, entryPrior, type HeldEntry, ListingRanking } from "./listing-ranking.ts";
import { groupKey, renderListing } from "./render-listing.ts";

/** A path of so many blanks is more likely a sentence. */
const PROSE_BLANKS = 4;

/** Reads a listing of paths: spread over folders, source before tests, docs and generated files. */
export function createListingAnalyzer(options: AnalyzerOptions): Analyzer {
  return new ListingAnalyzer(options);
}

class ListingAnalyzer extends LineAnalyzer {
  readonly #parser = new EntryParser();
  readonly #relevance: Relevance;
  readonly #ranking: ListingRanking;
  readonly #folders = new FolderCounts();
  readonly #held: Reservoir<HeldEntry>;
  /** The folder of the last entry: the next one is likely to stand in it too. */
  readonly #way = new FolderWay();
  #parent = TOP;
  #parentTally: Tally | undefined;
  /** The last line that named a folder. */
  #heading: HeldLine | undefined;
  #entries = 0;
  #proseLike = 0;
  /** The same in any room. */
  #ranked: readonly HeldEntry[] | undefined;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query, { shortened: true });
    super(relevance);
    this.#relevance = relevance;
    this.#ranking = new ListingRanking(this.#relevance, query);
    this.#held = new Reservoir({
      maxChars: Math.max(1_000_000, 8 * roomChars(room)),
      worth: (entry) => this.#ranking.worth(entry),
      place: (entry) => entry.held.line,
      chars: (entry) => entry.held.text.length + 100,
    });
  }

  get wrongShape(): boolean {
    return this.#proseLike > 20 && this.#proseLike > this.#entries / 4;
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  protected select(room: Room, _: Position, answered: ReadonlySet<number>): Selection {
    this.#ranked ??= this.#ranking.rank(this.#held.items);
    // What answers the question stands as the listing has it, before all else.
    const isWhole = ({ held, told }: HeldEntry): boolean => !told && answered.has(held.line);
    const answers = this.#ranked.filter(isWhole).map((entry) => ({ ...entry, prefix: undefined }));
    const ranked =
      answers.length === 0 ? this.#ranked : [...answers, ...this.#ranked.filter((entry) => !isWhole(entry))];
    const lineChars = Math.max(80, Math.min(300, Math.floor(roomChars(room) / 12)));
    return fillRoom(
      ranked,
      (entry) => ({
        chars: entry.prefix === undefined ? Math.min(entry.held.chars, lineChars) : entry.name.length + 1,
        lines: entry.prefix === undefined ? 1 : entry.name.length / 100,
      }),
      (chosen) => renderListing(chosen, this.#entries, this.#folders.counts, lineChars),
      room,
      {
        groupOf: (entry) => ({ key: groupKey(entry), chars: entry.heading?.chars ?? entry.prefix?.length ?? 0 }),
      },
    );
  }

  protected take(raw: string, span: Readonly<LineSpan>): void {
    const shown = shownText(raw, span);
    const parsed = this.#parser.next(shown);
    if (parsed === undefined) return;
    const { parent, name, size, folder, told } = parsed;
    if (parsed.heading) this.#heading = holdLine(raw, span);
    const beside = parent === this.#parent.path;
    if (!beside) this.#enter(parent, span.asked || parsed.told);
    if (this.#parent.blanks + (name.includes(" ") ? countOf(" ", name) : 0) >= PROSE_BLANKS) this.#proseLike++;
    if (!beside || !this.#folders.addBeside(parent.length)) this.#folders.add(parent + name);
    this.#entries++;
    const nameTally = span.asked ? this.#relevance.tally(name) : undefined;
    const folderTally = this.#parentTally;
    if (!this.#relevance.empty) this.#relevance.observe(addTallies(nameTally, folderTally));
    const prior = this.#prior(name, size, folder, span.line, nameTally ?? folderTally);
    if (prior === undefined) return;
    if (!this.#held.admits(this.#ranking.worth({ nameTally, folderTally, prior }), span.line)) return;
    const held = parsed.heading && this.#heading !== undefined ? this.#heading : holdLine(raw, span);
    const path = parent + name;
    const grouped = parsed.plain && shown.endsWith(name) && (told || !/[\s,]/.test(name));
    let prefix = parsed.heading ? path : undefined;
    if (!parsed.heading && grouped) prefix = told ? parent : copyText(shown.slice(0, shown.length - name.length));
    this.#held.add({
      held,
      heading: told || parsed.heading ? this.#heading : undefined,
      prefix,
      told,
      name: path === name ? path : copyText(name),
      path: path === raw ? held.text : copyText(path),
      parent,
      kind: kindInFolder(name, this.#parent.kind),
      nameTally,
      folderTally,
      prior,
      score: ZERO,
    });
  }

  /** What the entry is worth before any question; undefined when it would not be held whatever its name says. */
  #prior(name: string, size: number, folder: boolean, line: number, tally: Tally | undefined): number | undefined {
    // A name never makes an entry worth more than its folder does.
    const { weight, kind } = this.#parent;
    const bulk = entryBulk(name, size);
    const most = weight * entryPrior(kind, bulk, folder);
    if (tally === undefined && !this.#held.admits(most, line)) return undefined;
    return weight * entryPrior(kindInFolder(name, kind), bulk, folder);
  }

  #enter(path: string, mayBeAsked: boolean): void {
    this.#parentTally = mayBeAsked ? this.#relevance.tally(path) : undefined;
    this.#parent = this.#way.to(path);
  }
}
