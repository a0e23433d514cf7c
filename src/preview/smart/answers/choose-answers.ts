import type { AskedName } from "../../../query/asked-names.ts";
import type { Row } from "../log/row.ts";
import type { Candidate } from "./answer-finder.ts";
import type { AnswerScore } from "./answer-score.ts";
import { cutAround } from "./cut-around.ts";

/** A row that answers the question as far as words can tell. */
export interface Answer {
  /** Of a long row, the part around the words. */
  readonly row: Row;
  /** Rows around it, nearest first. */
  readonly around: readonly Row[];
  readonly worth: number;
  /** The name that tells most, for a reason such as "question: timeout". */
  readonly name: string;
}

/** More rows than this that say the same to the question are no answer to it. */
const MOST_ANSWERS = 8;
/** The least share of what is asked that a row must hold. */
const LEAST_COVERAGE = 0.5;
/** The same where the shape's own ranking knows the question too. */
const STRICT_COVERAGE = 0.75;
/** How far behind the best one may stay. */
const LEAST_SHARE = 0.7;
/** Rows that would hold as much by chance, if words were strewn over the output. */
const CHANCE_ROWS = 8;
/** Rows of so nearly the same worth are shown together or not at all. */
const SAME = 0.98;

/** The rows that surely answer, best first; none when many rows hold what is asked, or none holds enough of it. */
export function chooseAnswers(
  candidates: readonly Candidate[],
  score: AnswerScore,
  names: readonly AskedName[],
  { maxChars, strict }: { readonly maxChars: number; readonly strict: boolean },
): readonly Answer[] {
  const ranked = rankCandidates(candidates, score);
  const least = Math.max(LEAST_SHARE * (ranked[0]?.worth ?? 0), Math.log((score.rows + 1) / CHANCE_ROWS));
  const covered = strict ? STRICT_COVERAGE : LEAST_COVERAGE;
  const sure = ranked.filter(({ worth }) => worth >= least && score.coverage(worth) >= covered);
  let taken = 0;
  while (taken < sure.length) {
    const worth = sure[taken]?.worth ?? 0;
    const next = taken + sure.slice(taken).filter((other) => other.worth >= SAME * worth).length;
    if (next > MOST_ANSWERS) break;
    taken = next;
  }
  return sure.slice(0, taken).map(({ candidate: { row, before, after, found }, worth }) => {
    const around = [...after, ...before].sort((a, b) => distance(a, row) - distance(b, row));
    return { row: cutAround(row, names, maxChars), around, worth, name: score.best(found, names) };
  });
}

interface Ranked {
  readonly candidate: Candidate;
  readonly worth: number;
}

/** Best first; of rows that say the same the first. */
function rankCandidates(candidates: readonly Candidate[], score: AnswerScore): readonly Ranked[] {
  const ranked = candidates.map((candidate) => ({ candidate, worth: score.of(candidate.found) }));
  ranked.sort((a, b) => b.worth - a.worth || a.candidate.row.byte - b.candidate.row.byte);
  const said = new Set<string>();
  return ranked.filter(({ candidate }) => {
    const text = candidate.row.text.trim();
    if (said.has(text)) return false;
    said.add(text);
    return true;
  });
}

function distance(neighbour: Row, row: Row): number {
  return Math.abs(neighbour.line - row.line);
}
