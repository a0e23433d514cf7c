import { isDigit } from "../../../bytes/is-digit.ts";
import { addTallies, Relevance } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { copyText, type HeldLine, holdLine, showLine } from "../../lines/line-drawing.ts";
import { LineAnalyzer, type LineSpan, shownText } from "../../lines/line-reader.ts";
import { FolderCounts, pathKind, renderFolders, topFolder } from "../../lines/paths.ts";
import { Reservoir } from "../../lines/reservoir.ts";
import { HEADING, OPEN, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatLineRange, formatPlural } from "../../omission.ts";
import { makeSelection, type Piece } from "../../pieces.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { FORM_PRIOR, GrepRanking, type HeldHit, type HitFile, isAside, isDefinition } from "./grep-ranking.ts";

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

/** Counts of all results. */
interface GrepTotals {
  readonly matches: number;
  readonly files: number;
  /** Matches by the first folders of their paths. */
  readonly folders: ReadonlyMap<string, number>;
  /** Lines that answer the question; these stand as the results have them. */
  readonly answered: ReadonlySet<number>;
}

/** Hits that stand below one name of their file. */
interface FileGroup {
  readonly file: HitFile;
  readonly heading: HeldHit["heading"];
  readonly hits: HeldHit[];
}

/** The chosen lines in the order of the results, each file named once; counts stand where matches of a file are left out. */
function renderGrep(chosen: readonly HeldHit[], totals: GrepTotals, lineChars: number): Selection {
  const pieces: Piece[] = [];
  const text: string[] = [];
  const show = (held: HeldHit["held"], reason: string, score: number): string => {
    const { text: line, regions } = showLine(held, lineChars);
    for (const { start, end } of regions) {
      const { line, byte, char, inLine } = start;
      pieces.push({ start: { line, byte, char, inLine }, end, reason, score });
    }
    return line;
  };
  const shown = chosen.filter((hit) => hit.match).length;
  const noun = totals.matches === 1 ? "match" : "matches";
  const found = `${formatCount(totals.matches)} ${noun} in ${formatPlural(totals.files, "file")}`;
  text.push(`${HEADING}search results: ${found}; ${formatCount(shown)} shown]`);
  const shownFolders = new Map<string, number>();
  const shownOfFile = new Map<HitFile, number>();
  for (const { match, file } of chosen) {
    if (!match) continue;
    shownOfFile.set(file, (shownOfFile.get(file) ?? 0) + 1);
    shownFolders.set(topFolder(file.path), (shownFolders.get(topFolder(file.path)) ?? 0) + 1);
  }
  const counted = new Set<HitFile>();
  for (const { file, heading, hits } of groupByFile(chosen)) {
    const left = counted.has(file) ? 0 : file.matches - (shownOfFile.get(file) ?? 0);
    counted.add(file);
    const rest =
      left > 0 ? ` ${OPEN_SHORT} ${formatCount(left)} more: ${formatLineRange(file.firstLine, file.lastLine)} …` : "";
    const named = heading === undefined && file.path !== "" && (hits.length > 1 || left > 0);
    if (heading !== undefined) text.push(show(heading, "heading", hits[0]?.score ?? 0) + rest);
    else if (rest !== "" || (named && hits.every(isNumbered))) text.push(file.path + rest);
    for (const hit of hits) {
      const line = show(hit.held, hit.match ? "match" : "context", hit.score);
      const bare = named && isNumbered(hit) && !totals.answered.has(hit.held.line) && line.startsWith(file.path);
      text.push(bare ? line.slice(file.path.length + 1) : line);
    }
  }
  const left = renderFolders(totals.folders, shownFolders, 12);
  if (left !== undefined) text.push(`${OPEN} not shown: ${left} …`);
  return makeSelection(text.join("\n"), pieces);
}

function isNumbered({ number }: HeldHit): boolean {
  return number > 0;
}

function groupByFile(chosen: readonly HeldHit[]): FileGroup[] {
  const groups: FileGroup[] = [];
  for (const hit of [...chosen].sort((a, b) => a.held.line - b.held.line)) {
    const last = groups.at(-1);
    if (last !== undefined && last.file === hit.file && last.heading === hit.heading) last.hits.push(hit);
    else groups.push({ file: hit.file, heading: hit.heading, hits: [hit] });
  }
  return groups;
}

/** One line of search results, taken apart. */
export interface Hit {
  readonly kind: "match" | "context" | "heading" | "separator" | "other";
  /** Path of the file it belongs to; empty when the results name none. */
  readonly path: string;
  /** Its line in the file; 0 when the results do not tell. */
  readonly number: number;
  /** Where the file's own text begins in the line. */
  readonly textAt: number;
}

const MAX_PATH = 500;
const NUMBERED_ONLY = /^\d{1,9}([:-])/;
const CONTEXT = /^((?:[A-Za-z]:)?[^\s:][^:]{0,400}?)-\d{1,9}-/;
const PATH_LIKE = /^(?:[A-Za-z]:)?[^\s:*?"<>|()=;,]{1,400}$/;
const FILE_HEADING = /^(?:[A-Za-z]:)?[^\s:*?"<>|=;,{}()]{1,400}$/;

/** Takes apart results of grep, ripgrep, git grep, ag and the like; remembers only the file it is in. */
export class HitParser {
  #path = "";
  #underHeading = false;
  #blank = true;

  next(text: string): Hit {
    const hit = this.#read(text);
    this.#blank = text === "" || hit.kind === "separator";
    if (hit.kind === "match" || hit.kind === "heading") this.#path = hit.path;
    return hit;
  }

  #read(text: string): Hit {
    if (text === "--" || text === "") return this.#other("separator");
    if (this.#underHeading || this.#path === "") {
      const numbered = NUMBERED_ONLY.exec(text);
      if (numbered !== null) {
        const kind = numbered[1] === ":" ? "match" : "context";
        return { kind, path: this.#path, number: Number.parseInt(text, 10), textAt: numbered[0].length };
      }
    }
    const colon = colonAfterPath(text);
    if (colon > 0) {
      const match = this.#afterPath(text, colon);
      if (match !== undefined) {
        this.#underHeading = false;
        return match;
      }
    }
    const context = this.#context(text);
    if (context !== undefined) return context;
    if (this.#blank && FILE_HEADING.test(text) && /[./\\]/.test(text)) {
      this.#underHeading = true;
      return { kind: "heading", path: text, number: 0, textAt: 0 };
    }
    return this.#other("other");
  }

  #afterPath(text: string, colon: number): Hit | undefined {
    let at = colon + 1;
    while (isDigit(text.charCodeAt(at)) && at - colon < 10) at++;
    if (at > colon + 1 && text.charCodeAt(at) === 58) {
      // A column may follow the line number.
      let column = at + 1;
      while (isDigit(text.charCodeAt(column)) && column - at < 7) column++;
      const textAt = column > at + 1 && text.charCodeAt(column) === 58 ? column + 1 : at + 1;
      return { kind: "match", path: text.slice(0, colon), number: Number(text.slice(colon + 1, at)), textAt };
    }
    const path = text.slice(0, colon);
    const known = path === this.#path && !this.#underHeading;
    if (!known && (!PATH_LIKE.test(path) || !/[./\\]/.test(path) || /^https?$/.test(path))) return undefined;
    return { kind: "match", path, number: 0, textAt: colon + 1 };
  }

  #context(text: string): Hit | undefined {
    const path = this.#path;
    if (path !== "" && text.startsWith(path) && text.charCodeAt(path.length) === 45) {
      const numbered = NUMBERED_ONLY.exec(text.slice(path.length + 1, path.length + 12));
      const textAt = path.length + 1 + (numbered?.[0].length ?? 0);
      return { kind: "context", path, number: Number.parseInt(numbered?.[0] ?? "0", 10), textAt };
    }
    const match = CONTEXT.exec(text.slice(0, MAX_PATH));
    if (match === null || !PATH_LIKE.test(match[1] ?? "")) return undefined;
    const found = match[1] ?? "";
    return {
      kind: "context",
      path: found,
      number: Number.parseInt(match[0].slice(found.length + 1), 10),
      textAt: match[0].length,
    };
  }

  #other(kind: "separator" | "other"): Hit {
    return { kind, path: this.#path, number: 0, textAt: 0 };
  }
}

function colonAfterPath(text: string): number {
  const colon = text.indexOf(":");
  const drive = colon === 1 && (text.charCodeAt(2) === 92 || text.charCodeAt(2) === 47);
  const at = drive ? text.indexOf(":", 2) : colon;
  return at <= MAX_PATH ? at : -1;
}
