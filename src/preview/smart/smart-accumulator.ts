import { concat } from "../../bytes/concat.ts";
import { decode } from "../../bytes/utf8.ts";
import { askedNames } from "../../query/asked-names.ts";
import { fitsRoom } from "../fit.ts";
import { Counter, exceeds } from "../measure.ts";
import { accountFor, makeSelection, type Position, type Room, roomWithin, type Selection, START } from "../pieces.ts";
import type { Accumulator, CompleteOptions, FinishOptions, Preview, Size } from "../types.ts";
import type { Analyzer } from "./analyzer.ts";
import { AnswerFinder } from "./answers/answer-finder.ts";
import { selectBeside } from "./answers/select-beside.ts";
import { detectShape, type Shape } from "./detect-shape.ts";
import { FailingRun } from "./failing-run.ts";
import { createLogAnalyzer, heldChars, type LogAnalyzer } from "./log/create-log-analyzer.ts";
import { kindOfLog } from "./log/kind-of-log.ts";
import { SpareBytes } from "./log/spare-bytes.ts";
import { createShapeAnalyzer } from "./shapes.ts";

/** How much of the output decides its shape. */
const DETECTION_BYTES = 65_536;
const MAX_SPARE_BYTES = 4_000_000;
/** Programs that print these end with an error to say what they found. */
const ANSWERS_BY_EXIT_CODE: ReadonlySet<Shape> = new Set(["diff", "grep", "json"]);
/** A command that failed says why within its last bytes, by a line of at least this score. */
const LATE_BYTES = 8192;
const SURE = 80;

/** Characters of one row that are shown for a question. */
function answerChars(room: Room): number {
  return Math.max(80, Math.min(600, Math.floor(Math.min(room.chars, room.bytes) / 8)));
}

/** Selects by content: reads the output once, in memory bounded by the limits. */
export function createSmartAccumulator(options: CompleteOptions): Accumulator {
  return new SmartAccumulator(options);
}

interface Selected {
  readonly selection: Selection;
  readonly shape: Shape;
  readonly unanswered: boolean;
}

class SmartAccumulator implements Accumulator {
  readonly #options: CompleteOptions;
  readonly #counter = new Counter();
  /** All of the output until it is over a limit and its shape is known. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #over = false;
  #shape: Shape = "log";
  #started = false;
  /** Undefined while a shape is trusted: then the bytes that it would read are spared. */
  #log: LogAnalyzer | undefined;
  #spare: SpareBytes | undefined;
  #shaped: Analyzer | undefined;
  #finder: AnswerFinder | undefined;
  /** Reads along while a shape is trusted. */
  #failingRun: FailingRun | undefined;

  constructor(options: CompleteOptions) {
    this.#options = options;
  }

  get size(): Size {
    return this.#counter.size;
  }

  get over(): boolean {
    return this.#over;
  }

  get asked(): boolean {
    return askedNames(this.#query).length > 0;
  }

  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#counter.write(chunk);
    this.#over ||= exceeds(this.#counter.size, this.#options.limits);
    if (this.#started) {
      this.#feed(chunk);
      return;
    }
    this.#held.push(new Uint8Array(chunk));
    this.#heldBytes += chunk.length;
    if (this.#over && this.#heldBytes >= DETECTION_BYTES) this.#start();
  }

  finish(options: FinishOptions = {}): Preview {
    const end = this.#counter.end();
    const source = this.#counter.size;
    const strategy = "smart";
    const { limits } = this.#options;
    const room = roomWithin(this.#options, options);
    if (!this.#over && !this.#started) {
      const text = decode(concat(this.#held, this.#heldBytes));
      if (fitsRoom(text, { ...roomWithin(this.#options, {}), lines: limits.maxLines })) {
        const all = makeSelection(text, [{ start: START, end, reason: "all", score: 0 }]);
        return { text, truncated: false, strategy, source, ...accountFor(all.pieces, end) };
      }
    }
    if (!this.#started) this.#start();
    const { selection, shape, unanswered } = this.#select(room, end, options.failed === true);
    const account = accountFor(selection.pieces, end);
    const preview = { text: selection.text, truncated: true, strategy, source, ...account, shape } as const;
    return unanswered ? { ...preview, unanswered } : preview;
  }

  #select(room: Room, end: Position, failed: boolean): Selected {
    // Most shapes are shown as an outline, and only the log's rows stand for themselves.
    const outlined = room.linesOnly !== true && this.#shaped?.wrongShape !== true && !this.#isLogAfterAll(end, failed);
    const answers = this.#finder?.finish(answerChars(room), outlined && this.#shaped !== undefined);
    const unanswered = answers?.nothing === true;
    const shaped = outlined && this.#shaped ? selectBeside(this.#shaped, room, end, answers) : undefined;
    // A room too small for a shape's own frame can still hold a line.
    const usable = shaped !== undefined && shaped.text !== "" && this.#shaped?.wrongShape !== true;
    if (usable && fitsRoom(shaped.text, room)) {
      return { selection: shaped, shape: this.#shape, unanswered };
    }
    const selection = this.#readAsLog().finish(room, end, answers);
    const plain = this.#shaped !== undefined || this.#shape === "log";
    const reported = answers?.errors === true && selection.pieces.some(({ score }) => score >= SURE);
    return {
      selection,
      shape: plain ? kindOfLog(selection.pieces) : this.#shape,
      unanswered: unanswered && !reported,
    };
  }

  /** Decides the shape from the first bytes, whatever chunks they came in, and reads on from the start. */
  #start(): void {
    const held = concat(this.#held, this.#heldBytes);
    this.#held = [];
    const query = this.#query;
    const room = roomWithin(this.#options, {});
    this.#started = true;
    this.#shape = detectShape(held.subarray(0, DETECTION_BYTES));
    this.#shaped = createShapeAnalyzer(this.#shape, { room, query });
    if (this.#shaped !== undefined) this.#failingRun = new FailingRun(this.#shape);
    const finder = AnswerFinder.create(query, this.#shape !== "html");
    this.#finder = finder;
    // Kept lines alone are always those of a log.
    if (this.#shaped === undefined || this.#options.markers === "outside") {
      this.#log = createLogAnalyzer({ room, query, finder });
    } else this.#spare = new SpareBytes(Math.min(MAX_SPARE_BYTES, heldChars(room)));
    this.#feed(held);
  }

  /** Whatever its form, a text in which a tool reports something is read for that. */
  #isLogAfterAll(end: Position, failed: boolean): boolean {
    this.#failingRun?.end();
    if (this.#failingRun?.holds(failed) === true) return true;
    if (!failed || this.#shaped === undefined || ANSWERS_BY_EXIT_CODE.has(this.#shape)) return false;
    const late = end.byte - LATE_BYTES;
    return this.#readAsLog()
      .reports(end)
      .some(({ score, byte }) => score >= SURE && byte >= late);
  }

  get #query(): string {
    return (this.#options.query ?? "").trim();
  }

  #feed(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const part = this.#spare === undefined ? chunk.subarray(at) : chunk.subarray(at, at + this.#spare.free);
      at += part.length;
      this.#shaped?.write(part);
      this.#failingRun?.write(part);
      this.#finder?.write(part);
      if (this.#spare === undefined) this.#log?.write(part);
      else this.#keepSpare(this.#spare, part);
    }
  }

  /** Something is let go only while the shape holds. */
  #keepSpare(spare: SpareBytes, part: Uint8Array): void {
    if (spare.write(part)) return;
    if (this.#shaped?.wrongShape === true || this.#failingRun?.suspected === true) this.#readAsLog();
    else spare.drop();
  }

  /** From now on the log reads too, from as far back as can be. */
  #readAsLog(): LogAnalyzer {
    this.#log ??= createLogAnalyzer({ room: roomWithin(this.#options, {}), query: this.#query });
    this.#spare?.readInto(this.#log);
    this.#spare = undefined;
    return this.#log;
  }
}
