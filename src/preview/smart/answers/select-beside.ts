import { fitsRoom, lineCost, shrinkRoom } from "../../fit.ts";
import { HEADING } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { makeSelection, NOTHING, type Position, type Room, type Selection } from "../../pieces.ts";
import type { Analyzer } from "../analyzer.ts";
import { endOfRow, startOfRow } from "../log/row.ts";
import { answerRows } from "../log/with-answers.ts";
import type { Answers } from "./answer-finder.ts";

/** What an analyzer selects and, before it, the rows that answer the question and are not to be seen in it. */
export function selectBeside(analyzer: Analyzer, room: Room, end: Position, answers?: Answers): Selection {
  const whole = analyzer.finish(room, end, answers);
  if (answers === undefined || whole.text === "") return whole;
  const unseen = missing(answers, whole.text);
  if (unseen.answers.length === 0) return whole;
  // In less room answers may be lost that the whole still had; then all of them get room of their own.
  for (const reserved of [unseen, answers]) {
    const cost = lineCost(drawAnswers(reserved, room, end).text, room);
    const rest = analyzer.finish(shrinkRoom(room, cost), end, answers);
    if (rest.text === "") continue;
    const shown = drawAnswers(missing(answers, rest.text), room, end);
    const text = shown.text === "" ? rest.text : `${shown.text}\n${rest.text}`;
    if (fitsRoom(text, room)) return makeSelection(text, [...shown.pieces, ...rest.pieces]);
  }
  return NOTHING;
}

function missing(answers: Answers, text: string): Answers {
  return { ...answers, answers: answers.answers.filter(({ row }) => !text.includes(row.text.trim())) };
}

function drawAnswers(answers: Answers, room: Room, end: Position): Selection {
  const rows = [...answerRows(answers, room, 1)].sort((a, b) => a.row.byte - b.row.byte);
  if (rows.length === 0) return NOTHING;
  const lines = [`${HEADING}question: ${formatPlural(answers.answers.length, "line")}]`];
  rows.forEach(({ row }, index) => {
    const before = rows[index - 1]?.row;
    if (before !== undefined && row.line > before.line + 1) lines.push("…");
    lines.push(`${formatCount(row.line)}: ${row.text}`);
  });
  const pieces = rows.map(({ row, value, reason }) => {
    return { start: startOfRow(row), end: endOfRow(row, end), reason, score: value };
  });
  return makeSelection(lines.join("\n"), pieces);
}
