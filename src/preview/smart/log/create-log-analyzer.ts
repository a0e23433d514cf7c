import type { Analyzer, AnalyzerOptions, Room } from "../analyzer.ts";
import { createQuestion } from "../question.ts";
import { BlockBuilder } from "./block-builder.ts";
import { chooseRows } from "./choose.ts";
import { rankRows } from "./rank.ts";
import { Reservoir } from "./reservoir.ts";
import type { Row } from "./row.ts";
import { RowScanner } from "./row-scanner.ts";
import { TemplateCounts } from "./template.ts";
import { createWordAutomaton } from "./words.ts";

/** An analyzer that tells how much work it did, so that a test can prove the work linear. */
export interface LogAnalyzer extends Analyzer {
  /** Bytes scanned and decoded. */
  readonly work: number;
}

const MAX_HELD_CHARS = 4_000_000;
const HISTORY_BYTES = 65_536;
const HEAD_ROWS = 60;

/** Reads logs, test runs and traces, and whatever else has lines. */
export function createLogAnalyzer(options: AnalyzerOptions): LogAnalyzer {
  const budget = Math.min(heldChars(options.room), MAX_HELD_CHARS);
  const historyBytes = Math.max(HISTORY_BYTES, budget / 2);
  const question = createQuestion(options.query);
  const scanner = new RowScanner(createWordAutomaton(question.terms.map((term) => term.text)), historyBytes);
  const reservoir = new Reservoir(Math.max(65_536, 4 * budget));
  const templates = new TemplateCounts();
  const builder = new BlockBuilder(scanner, reservoir, templates, question);
  const head: Row[] = [];
  let headBytes = 0;
  scanner.listen({
    attentive: true,
    onRow(mask) {
      const row = scanner.row(0);
      headBytes += row.bytes;
      head.push(row);
      if (mask !== 0 || builder.attentive) builder.onRow(mask);
      if (head.length >= HEAD_ROWS || headBytes >= budget / 4) scanner.listen(builder);
    },
  });

  return {
    get work() {
      return scanner.work;
    },
    write(chunk) {
      scanner.write(chunk);
    },
    finish(room, total) {
      scanner.end();
      builder.close();
      const reach = scanner.reach(historyBytes);
      const latest = (rows = reach): Row[] => scanner.latest(Math.min(rows, reach));
      const tail = latest(scanner.reach(budget / 2) || reach);
      const candidates = rankRows(reservoir.blocks(), { head, tail, latest }, question, total.byte);
      return chooseRows(candidates, room, total, (template) => templates.get(template));
    },
  };
}

/** Characters the room can show at most. */
function heldChars(room: Room): number {
  return Math.min(room.chars, room.bytes, room.tokens * 6, room.lines * 400);
}
