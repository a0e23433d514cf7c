import type { Beginning } from "../../../bytes/line-scanner.ts";
import type { Relevance } from "../../../query/relevance.ts";
import type { Mentions } from "../../lines/line-reader.ts";

const TROUBLE =
  /\b(?:error|fail(?:ed|ure)?|fatal|critical|exception|crash(?:ed)?|timeout|denied|high|severe|rejected)\b/i;
/** What only the state of a process, a container or a machine is called. */
const BAD_STATE =
  /<defunct>|\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|Evicted|NotReady)\b|\((?:unhealthy|dead)\)/;
/** A share that is used up, or nearly. */
const NEARLY_FULL = /(?:^|[\s,;|])(?:9\d|100)(?:\.\d+)?%/;

/** Four letters of each word of trouble, in any case, and of each bad state, in this. */
const IN_TROUBLE = "rror fail fata riti xcep cras meou enie high seve ejec".split(" ");
const IN_STATES = "func ageP OMKi icte tRea heal dead".split(" ");

/** What a row tells of trouble; `told` is false when it is known to hold no word for it. */
export function troubleOf(text: string, told: boolean): number {
  if (told && BAD_STATE.test(text)) return 4;
  if (told && TROUBLE.test(text)) return 1.5;
  return text.includes("%") && NEARLY_FULL.test(text) ? 1.2 : 0;
}

/** What rows are searched for, many at once: the words of the question, and those of trouble. */
export class RowMentions implements Mentions {
  readonly empty = false;
  readonly #relevance: Relevance;
  readonly #trouble = new RegExp([...IN_TROUBLE, ...IN_STATES].join("|").toLowerCase(), "g");
  /** The text that was searched last, and where what is looked for stands in it next. */
  #lower = "";
  #from = 0;
  #nextTrouble = -1;
  #nextWord = -1;

  constructor(relevance: Relevance) {
    this.#relevance = relevance;
  }

  get beginnings(): readonly Beginning[] {
    const trouble = IN_TROUBLE.map((text) =>
      Array.from(text, (letter) => [unitOf(letter), unitOf(letter.toUpperCase())]),
    );
    const states = IN_STATES.map((text) => Array.from(text, (letter) => [unitOf(letter)]));
    return [...this.#relevance.beginnings, ...trouble, ...states];
  }

  nextMention(lower: string, from: number): number {
    // A text may come twice in a row: then it is read from its beginning again.
    if (lower !== this.#lower || from < this.#from) {
      this.#lower = lower;
      this.#nextTrouble = -1;
      this.#nextWord = -1;
    }
    this.#from = from;
    if (this.#nextTrouble < from) {
      this.#trouble.lastIndex = from;
      this.#nextTrouble = this.#trouble.exec(lower)?.index ?? Number.POSITIVE_INFINITY;
    }
    if (this.#nextWord < from) this.#nextWord = this.#relevance.nextMention(lower, from);
    return Math.min(this.#nextTrouble, this.#nextWord);
  }
}

function unitOf(letter: string): number {
  return letter.charCodeAt(0);
}
