import type { Following } from "./rules/rule.ts";

/** A frame of a stack trace. */
export const FRAME =
  /^\s*(?:at |File "|from |in [`']|#\d+\s|\d+: |\.\.\. \d+ (?:more|common)|goroutine |created by |\[?<?[0-9a-fx]{8,}|\w[\w.$/<>-]*\(.{0,80}\) (?:at |\[)|\(\w+\) |\[\w+\]\s+at |- locked |\S+\(\) at |=?\s?\[?\s{0,4}#\d)/;
const ATTACHED =
  /^(?:\s+\S|[|>^~+=│┃├└╵╰]|- |-\S|E\s{2}|--> |\[(?:ERROR|error)\]\s{2,}\S|(?:symbol|location|required|found|reason|expected|actual|left|right|got|want|code|stacktrace|note|help|hint|Reason|Details?|Message|Expected|Actual|Expecting|Caused by|caused by|Because|Did you mean|See|Try|Run|To |Please|Make sure|Perhaps|This |If you|The )\b)/;
const MOVED_ON =
  /^(?:\$ |\+ |\[INFO\]|\s*(?:ok\b|PASS\b|PASSED\b|✓|✔|√)|Downloading|Downloaded|Compiling |Building |Installing |Fetching |Get:\d|Collecting |\[\d+\/\d+\]|\[\s*\d+%\]|\[ {0,9}OK \]|travis_|##\[group\]|##\[endgroup\]|gcc |g\+\+ |cc |clang |libtool: )/;

/** How many rows a block may take after its first. */
const LENGTH: Readonly<Record<Following, number>> = { block: 24, trace: 40, list: 30, none: 0 };
const MAX_PLAIN = 3;
const MAX_BLANK = 3;
const MAX_GAPS = 8;

/** Says of each row after a hit how much it belongs to it. */
export class Continuation {
  readonly #following: Following;
  readonly #length: number;
  #taken = 0;
  #frames = 0;
  #plain = 0;
  #blank = 0;
  #gaps = 0;
  #afterBlank = false;

  constructor(following: Following, score: number) {
    this.#following = following;
    this.#length = score >= 80 ? LENGTH[following] : Math.min(LENGTH[following], score >= 55 ? 12 : 4);
  }

  get following(): Following {
    return this.#following;
  }

  get open(): boolean {
    return this.#taken < this.#length;
  }

  /** A factor from 0 to 1, or undefined when the row no longer belongs to the block. */
  next(text: string): number | undefined {
    this.#taken++;
    if (text.trim() === "") {
      this.#blank++;
      // Some runners put a blank row after each.
      if (!this.#afterBlank) this.#gaps++;
      this.#afterBlank = true;
      return this.#blank > Math.max(MAX_BLANK, Math.min(MAX_GAPS, this.#gaps)) ? undefined : 0;
    }
    this.#afterBlank = false;
    if (MOVED_ON.test(text)) return undefined;
    if (FRAME.test(text)) {
      this.#frames++;
      return 0.66 * 0.84 ** (this.#frames - 1);
    }
    if (ATTACHED.test(text)) return 0.84 * 0.955 ** this.#taken * 0.9 ** this.#blank;
    if (this.#following === "list") return 0.84 * 0.97 ** this.#taken;
    this.#plain++;
    if (this.#plain > MAX_PLAIN + (this.#following === "trace" ? 2 : 0)) return undefined;
    return 0.62 * 0.8 ** (this.#plain - 1) * 0.7 ** this.#blank;
  }
}
