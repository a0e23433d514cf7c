import type { Room } from "../../pieces.ts";
import type { Answers } from "../answers/answer-finder.ts";
import type { Candidate, Row } from "./row.ts";

/** Above whatever else a row may be worth. */
const ANSWER_VALUE = 1000;
const AROUND_VALUE = 600;
/** Answers that are shown with what stands around them. */
const SURROUNDED = 4;

/** Puts the rows that answer a question before all others. */
export function withAnswers(candidates: readonly Candidate[], answers: Answers, room: Room): Candidate[] {
  const chosen = answerRows(answers, room, SURROUNDED);
  if (chosen.length === 0) return [...candidates];
  const free = candidates.filter(({ row }) => !chosen.some((other) => overlaps(row, other.row)));
  return [...free, ...chosen];
}

/** The rows that answer a question, the first ones `surrounded` by their neighbours, as many as a share of the room holds; none twice. */
export function answerRows({ answers, share }: Answers, room: Room, surrounded: number): readonly Candidate[] {
  const chosen: Candidate[] = [];
  let chars = share * Math.min(room.chars, room.bytes);
  const add = (row: Row, value: number, reason: string): void => {
    if (chosen.length > 0 && row.text.length + 1 > chars) return;
    if (chosen.some((other) => overlaps(row, other.row))) return;
    chars -= row.text.length + 1;
    chosen.push({ row, value, reason });
  };
  answers.forEach(({ row, name }, index) => {
    add(row, ANSWER_VALUE - index, `question: ${name}`);
  });
  for (let nearest = 0; nearest < 5; nearest++) {
    for (const { row, around } of answers.slice(0, surrounded)) {
      const neighbour = around[nearest];
      if (neighbour === undefined || neighbour.text.trim() === "") continue;
      add(neighbour, AROUND_VALUE - nearest, `around line ${row.line}`);
    }
  }
  return chosen;
}

function overlaps(row: Row, other: Row): boolean {
  return row.byte < other.byte + other.bytes && other.byte < row.byte + row.bytes;
}
