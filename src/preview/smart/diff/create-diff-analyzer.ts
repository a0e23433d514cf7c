import { Relevance } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { copyHeld, holdLine } from "../../lines/line-drawing.ts";
import { LineAnalyzer, type LineSpan } from "../../lines/line-reader.ts";
import { Reservoir } from "../../lines/reservoir.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { linesForm, MOST_FORM, sizePrior } from "./block-prior.ts";
import { type DiffBlock, DiffBlocks, type DiffFile } from "./diff-blocks.ts";
import { DiffParser } from "./diff-parser.ts";
import { type DiffMessage, DiffRanking } from "./diff-ranking.ts";
import { renderDiff } from "./render-diff.ts";

const MAX_FILES = 4000;
const MAX_MESSAGES = 1000;
const MAX_MESSAGE_LINES = 60;

/** Reads a unified diff or a log of patches: every file with its counts, then the changes that matter most. */
export function createDiffAnalyzer(options: AnalyzerOptions): Analyzer {
  return new DiffAnalyzer(options);
}

class DiffAnalyzer extends LineAnalyzer {
  readonly #parser = new DiffParser();
  readonly #ranking: DiffRanking;
  readonly #blocks: DiffBlocks;
  readonly #files: DiffFile[] = [];
  readonly #messages: DiffMessage[] = [];
  readonly #held: Reservoir<DiffBlock>;
  readonly #totals = { files: 0, added: 0, removed: 0, hunks: 0 };
  #message: DiffMessage | undefined;
  #lines = 0;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query);
    super(relevance);
    const paths = new Relevance(query, { shortened: true });
    this.#ranking = new DiffRanking(relevance, paths, query);
    this.#held = new Reservoir({
      maxChars: Math.max(400_000, 8 * roomChars(room)),
      worth: (block) => this.#ranking.score(block),
      place: (block) => block.lines[0]?.line ?? 0,
      chars: (block) => block.chars + 100,
    });
    this.#blocks = new DiffBlocks(relevance, paths, (block) => this.#hold(block));
  }

  get wrongShape(): boolean {
    return this.#totals.hunks === 0 && (this.#lines > 2000 || this.#totals.files === 0);
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  protected select(room: Room, total: Position): Selection {
    this.#blocks.close();
    const ranked = this.#ranking.rank(this.#held.items, this.#files, this.#messages, roomChars(room));
    const lineChars = Math.max(80, Math.floor(roomChars(room) / 8));
    return fillRoom(
      ranked,
      (candidate) => candidate.cost,
      (chosen) => renderDiff(this.#ranking.bridge(chosen), this.#totals, lineChars, total),
      room,
    );
  }

  protected take(text: string, span: Readonly<LineSpan>): void {
    this.#lines++;
    const kind = this.#parser.next(text);
    if (kind === "commit" || kind === "message") {
      this.#takeMessage(kind === "commit", text, span);
      return;
    }
    if (kind === "file") this.#openFile(span);
    const file = this.#blocks.file ?? this.#openFile(span);
    if (kind === "hunk") {
      this.#totals.hunks++;
      this.#blocks.openHunk(file, this.#parser.section, text, span);
    } else if (kind === "header") {
      file.change = this.#parser.change;
      if (file.path !== this.#parser.path) this.#blocks.nameFile(file, this.#parser.path);
    } else if (kind !== "file") {
      if (kind === "added") this.#totals.added++;
      else if (kind === "removed") this.#totals.removed++;
      this.#blocks.take(kind, text, span);
    }
    file.endLine = span.line;
  }

  #openFile(span: Readonly<LineSpan>): DiffFile {
    this.#message = undefined;
    this.#totals.files++;
    const file = this.#blocks.openFile(this.#parser.path, span);
    if (this.#files.length < MAX_FILES) this.#files.push(file);
    return file;
  }

  #takeMessage(begins: boolean, text: string, span: Readonly<LineSpan>): void {
    if (begins || this.#message === undefined) {
      this.#blocks.close();
      this.#message = { lines: [], count: 0 };
      if (this.#messages.length < MAX_MESSAGES) this.#messages.push(this.#message);
    }
    this.#message.count++;
    if (this.#message.lines.length < MAX_MESSAGE_LINES) this.#message.lines.push(holdLine(text, span));
  }

  #hold(block: DiffBlock): void {
    if (block.changed === 0) return;
    const place = block.lines[0]?.line ?? 0;
    // What the lines say costs more to find out than how many they are.
    block.prior = MOST_FORM * sizePrior(block);
    if (!this.#held.admits(this.#ranking.score(block), place)) return;
    block.prior = linesForm(block) * sizePrior(block);
    if (!this.#held.admits(this.#ranking.score(block), place)) return;
    block.lines = block.lines.map(copyHeld);
    this.#held.add(block);
  }
}
