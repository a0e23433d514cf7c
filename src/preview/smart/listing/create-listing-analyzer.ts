import { addTallies, Relevance, type Tally } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { copyText, type HeldLine, holdLine, showLine } from "../../lines/line-drawing.ts";
import { LineAnalyzer, type LineSpan, shownText } from "../../lines/line-reader.ts";
import { FolderCounts, kindInFolder, renderFolders, topFolder } from "../../lines/paths.ts";
import { Reservoir } from "../../lines/reservoir.ts";
import { HEADING, OPEN } from "../../mark.ts";
import { formatCount } from "../../omission.ts";
import { makeSelection, type Piece } from "../../pieces.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { ZERO } from "../zero.ts";
import { countOf, EntryParser, PathStack, TOP } from "./entry-parser.ts";
import { entryBulk, entryPrior, type HeldEntry, ListingRanking } from "./listing-ranking.ts";

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
  readonly #stack = new PathStack();
  #parent = TOP;
  #parentTally: Tally | undefined;
  /** The last line that named a folder. */
  #heading: HeldLine | undefined;
  #prefix = "";
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
        chars:
          entry.prefix === undefined
            ? Math.min(entry.held.chars, lineChars)
            : entry.path.length - entry.parent.length + 1,
        lines: entry.prefix === undefined ? 1 : (entry.path.length - entry.parent.length) / ROW_CHARS,
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
    if (!parsed.heading && grouped) prefix = told ? parent : this.#prefixOf(shown, shown.length - name.length);
    this.#held.add({
      held,
      heading: told || parsed.heading ? this.#heading : undefined,
      prefix,
      told,
      path: path === raw ? held.text : copyText(path),
      parent,
      kind: kindInFolder(name, this.#parent.kind),
      nameTally,
      folderTally,
      prior,
      score: ZERO,
    });
  }

  /** The beginning of a line; one text for all lines of a folder. */
  #prefixOf(shown: string, length: number): string {
    const last = this.#prefix;
    if (last.length !== length || shown.slice(0, length) !== last) this.#prefix = copyText(shown.slice(0, length));
    return this.#prefix;
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
    this.#parent = this.#stack.to(path);
  }
}

const ROW_CHARS = 100;

/** The chosen entries below their folders, in the order of the listing, then what is left out, by folder. */
function renderListing(
  chosen: readonly HeldEntry[],
  entries: number,
  folders: ReadonlyMap<string, number>,
  lineChars: number,
): Selection {
  const pieces: Piece[] = [];
  const shown = new Map<string, number>();
  const noun = entries === 1 ? "entry" : "entries";
  const text = [`${HEADING}listing: ${formatCount(entries)} ${noun}; ${formatCount(chosen.length)} shown]`];
  const show = (held: HeldLine, score: number): string => {
    const { text: line, regions } = showLine(held, lineChars);
    for (const { start, end } of regions) {
      const { line, byte, char, inLine } = start;
      pieces.push({ start: { line, byte, char, inLine }, end, reason: "entry", score });
    }
    return line;
  };
  for (const { heading, prefix, members } of groupByFolder(chosen)) {
    const single = members.length === 1 && heading === undefined && members[0]?.told !== true;
    if (heading !== undefined) text.push(show(heading, 0));
    else if (prefix !== undefined && !single) text.push(prefix === "" ? "./" : prefix);
    let row = "";
    for (const entry of members) {
      const folder = topFolder(entry.path);
      shown.set(folder, (shown.get(folder) ?? 0) + 1);
      if (entry.held === heading) continue;
      const line = show(entry.held, entry.score);
      if (prefix === undefined || single) {
        text.push(line);
        continue;
      }
      const name = entry.path.slice(entry.parent.length);
      const alone = /[\s,]/.test(name);
      if (row !== "" && (alone || row.length + name.length > ROW_CHARS)) {
        text.push(row);
        row = "";
      }
      if (alone) text.push(` ${name}`);
      else row += ` ${name}`;
    }
    if (row !== "") text.push(row);
  }
  const left = renderFolders(folders, shown, 16);
  if (left !== undefined) text.push(`${OPEN} ${formatCount(entries - chosen.length)} more not shown: ${left} …`);
  return makeSelection(text.join("\n"), pieces);
}

interface Group {
  /** The line of the listing that names the folder. */
  readonly heading: HeldLine | undefined;
  /** What the names stand below; undefined for lines that stand as they are. */
  readonly prefix: string | undefined;
  readonly members: HeldEntry[];
}

function groupByFolder(chosen: readonly HeldEntry[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const entry of [...chosen].sort((a, b) => a.held.line - b.held.line)) {
    const { heading, prefix } = entry;
    const key = groupKey(entry);
    const group = groups.get(key) ?? { heading, prefix, members: [] };
    group.members.push(entry);
    groups.set(key, group);
  }
  return groups.values();
}

/** What entries that are shown together have in common. */
function groupKey({ heading, prefix, held }: HeldEntry): string {
  return heading === undefined ? (prefix ?? `\n${held.line}`) : `${heading.line}\n${prefix ?? ""}`;
}
