import { addTallies, Relevance } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { copyText, type HeldLine, holdLine } from "../../lines/held-line.ts";
import { LineAnalyzer } from "../../lines/line-analyzer.ts";
import { type LineSpan, shownText } from "../../lines/line-reader.ts";
import { pathKind } from "../../lines/path-kind.ts";
import { Reservoir } from "../../lines/reservoir.ts";
import { FolderCounts } from "../../lines/top-folder.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { FORM_PRIOR, GrepRanking, type HeldHit, type HitFile, isAside, isDefinition } from "./grep-ranking.ts";
import { HitParser } from "./hit-parser.ts";
import { renderGrep } from "./render-grep.ts";

const MAX_FILES = 10_000;

/** Reads search results: spread over files and folders, source first, definitions before uses. */
export function createGrepAnalyzer(options: AnalyzerOptions): Analyzer {
  return new GrepAnalyzer(options);
}

class GrepAnalyzer extends LineAnalyzer {
  readonly #parser = new HitParser();
  readonly #relevance: Relevance;
  readonly #paths: Relevance;
  readonly #ranking: GrepRanking;
  readonly #folders = new FolderCounts();
  readonly #held: Reservoir<HeldHit>;
  #known = new Map<string, HitFile>();
  #file: HitFile | undefined;
  /** The last line that named the file; a file may come more than once. */
  #heading: HeldLine | undefined;
  #matches = 0;
  #files = 0;
  #others = 0;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query);
    super(relevance);
    this.#relevance = relevance;
    this.#paths = new Relevance(query, { shortened: true });
    this.#ranking = new GrepRanking(this.#relevance, this.#paths, query);
    this.#held = new Reservoir({
      maxChars: Math.max(400_000, 8 * roomChars(room)),
      worth: (hit) => this.#ranking.score(hit),
      place: (hit) => hit.held.line,
      chars: (hit) => hit.held.text.length + 150,
    });
  }

  get wrongShape(): boolean {
    return this.#others > 20 && this.#others > this.#matches / 4;
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  protected select(room: Room, _: Position, answered: ReadonlySet<number>): Selection {
    const lineChars = Math.max(80, Math.min(300, Math.floor(roomChars(room) / 12)));
    const totals = { matches: this.#matches, files: this.#files, folders: this.#folders.counts };
    const ranked = this.#ranking.rank(this.#held.items);
    const isAnswer = ({ held }: HeldHit): boolean => answered.has(held.line);
    return fillRoom(
      answered.size === 0 ? ranked : [...ranked.filter(isAnswer), ...ranked.filter((hit) => !isAnswer(hit))],
      (hit) => ({ chars: Math.min(hit.held.chars, lineChars) - (hit.number > 0 ? hit.file.path.length : 0), lines: 1 }),
      (chosen) => renderGrep(chosen, { ...totals, answered }, lineChars),
      room,
      { groupOf: ({ file }) => ({ key: file, chars: file.path.length + 40 }) },
    );
  }

  protected take(raw: string, span: Readonly<LineSpan>): void {
    const text = shownText(raw, span);
    const parsed = this.#parser.next(text);
    if (parsed.kind === "separator") return;
    const file = this.#file !== undefined && this.#file.path === parsed.path ? this.#file : this.#fileAt(parsed.path);
    if (file !== this.#file) this.#heading = undefined;
    this.#file = file;
    if (parsed.kind === "heading") {
      this.#heading = holdLine(raw, span);
      return;
    }
    if (parsed.kind === "other") this.#others++;
    const match = parsed.kind === "match";
    const said = text.slice(parsed.textAt, parsed.textAt + 2000);
    const tally = span.asked ? this.#relevance.tally(said) : undefined;
    this.#relevance.observe(tally);
    if (match) {
      this.#matches++;
      file.matches++;
      file.firstLine ||= span.line;
      file.lastLine = span.line;
      file.tally = addTallies(file.tally, tally);
      this.#folders.add(parsed.path);
    }
    const admits = (prior: number): boolean =>
      this.#held.admits(this.#ranking.score({ file, match, tally, prior }), span.line);
    const most = isDefinition(said) ? FORM_PRIOR.definition : FORM_PRIOR.use;
    if (!admits(most)) return;
    const prior = most === FORM_PRIOR.use && isAside(said) ? FORM_PRIOR.aside : most;
    if (prior < most && !admits(prior)) return;
    this.#held.add({
      file,
      held: holdLine(raw, span),
      heading: this.#heading,
      match,
      number: parsed.number,
      textAt: parsed.textAt,
      tally,
      prior,
      score: 0,
    });
  }

  #fileAt(name: string): HitFile {
    const found = this.#known.get(name);
    if (found !== undefined) return found;
    const path = copyText(name);
    const pathTally = this.#paths.tally(path);
    this.#paths.observe(pathTally);
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const lines = { firstLine: 0, lastLine: 0 };
    const file = { path, folder, kind: pathKind(path), pathTally, tally: undefined, matches: 0, ...lines, rank: 0 };
    this.#files++;
    // Files that come back later are rare; forgetting the oldest half only splits their counts.
    if (this.#known.size >= MAX_FILES) this.#known = new Map([...this.#known].slice(MAX_FILES / 2));
    this.#known.set(path, file);
    return file;
  }
}
