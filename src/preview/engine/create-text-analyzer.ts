import { Relevance } from "../../query/relevance.ts";
import { fillRoom, roomChars } from "../lines/fill-room.ts";
import { LineAnalyzer } from "../lines/line-analyzer.ts";
import type { LineSpan } from "../lines/line-reader.ts";
import type { Position, Room, Selection } from "../pieces.ts";
import type { Analyzer, AnalyzerOptions } from "../smart/analyzer.ts";
import { type Choice, rankByPlace, rankByScore } from "./choose-lines.ts";
import { drawLines } from "./draw-lines.ts";
import { HeldText } from "./held-text.ts";
import { readScopes } from "./read-scopes.ts";
import { scoreLines } from "./score-lines.ts";

/** What a marker takes for each group of lines that is shown apart. */
const MARKER_CHARS = 12;

/** Reads a text made of lines: shows what the question asks for with the declarations around it, else the beginning and the end. */
export function createTextAnalyzer(options: AnalyzerOptions): Analyzer {
  return new TextAnalyzer(options);
}

class TextAnalyzer extends LineAnalyzer {
  readonly #relevance: Relevance;
  readonly #held: HeldText;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query, { shortened: true });
    super(relevance);
    this.#relevance = relevance;
    this.#held = new HeldText(room, relevance);
  }

  get wrongShape(): boolean {
    return this.#held.undeclared;
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  protected take(text: string, span: Readonly<LineSpan>): void {
    this.#held.add(text, span);
  }

  protected select(room: Room, total: Position): Selection {
    const lines = this.#held.finish();
    readScopes(lines);
    const scores = this.#relevance.empty ? undefined : scoreLines(lines, this.#relevance);
    const ranked = scores === undefined ? rankByPlace(lines) : rankByScore(lines, scores);
    const asked = scores !== undefined;
    // A beginning is shown as it is; among many answers no line may take the room of all others.
    const lineChars = Math.max(80, Math.min(asked ? 240 : 2000, Math.floor(roomChars(room) / (asked ? 12 : 4))));
    return fillRoom(
      ranked,
      (choice) => costOf(choice, lineChars),
      (chosen) => drawLines(chosen, { total, lineChars, headed: asked }),
      room,
      { inOrder: !asked },
    );
  }
}

function costOf({ lines }: Choice, lineChars: number): { readonly chars: number; readonly lines: number } {
  let chars = 0;
  for (const { line } of lines) chars += Math.min(line.held.chars, lineChars + 24);
  return { chars: chars + MARKER_CHARS, lines: lines.length };
}
