import { isDigit } from "../../bytes/is-digit.ts";
import { decode } from "../../bytes/utf8.ts";
import { cleanLine } from "../clean.ts";
import type { Shape } from "./detect-shape.ts";
import { bodyOf } from "./log/rules/classify.ts";

const NEWLINE = 10;
/** A result line tells what it is within this many bytes. */
const LOOKED_BYTES = 400;

/** Lines by which a test runner names a failed test. */
const NAMED = joined([
  // pytest, unittest, Django
  /^(?:FAILED|ERROR) \S*(?:::|\.\w{1,5}(?: |$))/,
  /^(?:FAIL|ERROR): \S+ \(\S/,
  /^\[gw\d{1,4}\] \[ *\d+%\] (?:FAILED|ERROR) \S/,
  /^\S+ (?:\.\.\. )?(?:FAILED|ERROR)(?: +\[ *\d+%\])?$/,
  /^\S.{0,200} \.\.\. (?:FAILED|FAIL|ERROR)\b[^a-z]{0,24}$/,
  // go, TAP, cargo, GoogleTest, bun
  /^ {0,16}--- FAIL: \S/,
  /^ {0,16}not ok \d+\b(?!.*# (?:TODO|SKIP))/,
  /^---- \S.{0,200} stdout ----$/,
  /^\[ {2}FAILED {2}\] \S+\.\S/,
  /^\(fail\) \S/,
  // jest, vitest, ScalaTest, Gradle, Surefire
  /^ {0,2}FAIL {1,2}\S+\.\w{1,4}\b/,
  /^ {2}● \S.{0,200}/,
  /\*{3} FAILED \*{3}/,
  /^\S+ > \S.{0,200} FAILED$/,
  /<<< (?:FAILURE|ERROR)!/,
  /^\[ERROR\] {2,}\S{1,200}(?::\d+ |->| » )/,
  // .NET, xUnit, CTest, XCTest, RSpec, minitest, PHPUnit, Perl
  /^ {2}Failed \S+(?:\(.{0,200}\))? \[.{0,20}s\]$/,
  /^\[xUnit\.net .{0,200}\[FAIL\]$/,
  /\*{3}(?:Failed|Exception|Timeout|Not Run)\b/,
  /^\s*Test Case .{1,200} failed \(/i,
  /^rspec \S+[:[]\d+/,
  /^\S+#\S+ \[\S+:\d+\]:$/,
  /^\d{1,4}\) \S+::\S+/,
  /^# {3}Failed test /,
]);

/** The same, by lines that also stand in other texts. */
const PERHAPS_NAMED = joined([/^_{3,} \S.{0,160} _{3,}$/, /^ {0,12}[✕✖✗✘×] \S/, /^ {0,8}\d{1,4}\) \S/]);

/** Lines by which a test runner says that tests failed, without what stands before them. */
const TOTALS = joined([
  /^={3,} (?:FAILURES|ERRORS) ={3,}$/,
  /^=+ .{0,80}\b[1-9]\d* (?:failed|errors?)\b/,
  /^[1-9]\d* (?:failed|errors?)\b.{0,120} in [\d.:]+/,
  /^FAILED \(.{0,60}\b(?:failures|errors|unexpected\w*)[ =]/,
  /^test result: FAILED\b/,
  /^(?:Tests|Test Suites|Test Files):?\s+(?:\d+ \w+(?: \| |, )){0,3}[1-9]\d* failed\b/,
  /^[1-9]\d* (?:failing|failed|fail)$/,
  /^\d+ (?:examples?|specs?|tests?|runs|steps?|scenarios?|features?)\b.{0,80}\b[1-9]\d* (?:failures?|errors?|failed)\b/,
  /^Tests: \d+, .{0,80}(?:Failures|Errors): [1-9]/,
  /^(?:\[\w+\] )?Tests run: \d+, +Failures: (?:[1-9]|0, +Errors: [1-9])/,
  /^\d+% tests passed, [1-9]\d* tests? failed/,
  /^Failed! {2}- Failed: +[1-9]/,
  /^Failed: [1-9]\d*$/,
  /^(?:# |ℹ )fail [1-9]/,
  /^\[ {2}FAILED {2}\] [1-9]\d* tests?,/,
  /^[1-9]\d* FAILED TESTS?$/,
  /^FAIL(?:\t\S+\t[\d.]+s)?$/,
  /^FAILED? \| .{0,60}[1-9]\d* failed/,
  /^Result: FAIL$/,
  /^(?:# )?Looks like you failed \d/,
  /^\[ FAIL [1-9]/,
  /^Executed \d+ .{0,60}(?:with [1-9]|\([1-9]\d* FAILED\))/,
  /^\*{3} ?(?:Test Failed\*{3} )?[1-9]\d* (?:TESTS? FAILED|failures?)/,
  /^FAILURES!$/,
]);

/** A failed assertion as pytest prints it. */
const ASSERTED = /^E {3,}\S/;
/** The first or last line of what a program prints that ends with an exception. */
const TRACED =
  /^(?:Traceback \(most recent call last\):|thread '.{1,200}' (?:\(\d+\) )?panicked at |panic: |goroutine \d+ \[|Exception in thread "|Uncaught |Unhandled |(?:\w+\.){0,8}\w*(?:Error|Exception): |Caused by: )/;
const FENCE = /^(?:```|~~~)/;
const MAY_TELL =
  /fail|error|exception|not ok|timeout|not run|panic|goroutine|traceback|caused by|un(?:caught|handled)|^[E_`~] ?[ _`~]|\d\) |[●✕✖✗✘×]|^rspec|\]:$|stdout ----/i;

/** First bytes of such lines, at the margin and indented; all that is not ASCII counts too. */
const AT_MARGIN = bytesOf("0123456789FEnT_-[#(*=\u001b`~PRLUCtrpg");
const INDENTED = bytesOf("0123456789-nFT*");
/** Last bytes of lines that may begin with anything: FAILED, ERROR, FAIL, 50%], FAILURE!, :12]: */
const LAST = bytesOf("DRL]!:");

/** This many named tests are a run, whether or not it came to an end. */
const MANY = 3;

/** Bytes at the start of a line among which a runner's prefix ends. */
const PREFIX_BYTES = 100;
const TAB = 9;
const BLANK = 32;
const BAR = 124;
const LESS = 60;
/** A prefix ends with one of these and a blank. */
const PREFIX_ENDS = new Set(bytesIn(":]|>"));
/** So many lines in a row begin with the same name before it counts as a prefix. */
const PREFIX_LINES = 3;
/** A page is the log of a run if so much of it is preformatted. */
const PREFORMATTED_SHARE = 0.5;
const TAG = /<[^<>]{0,400}>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", "#x27": "'" };

/** Tells by the lines of test runners whether an output is a test run that failed, whatever else it quotes. */
export class FailingRun {
  readonly #line = new Uint8Array(LOOKED_BYTES);
  #held = 0;
  /** The line that began in an earlier chunk goes on after what is held. */
  #open = false;
  #named = 0;
  #perhaps = 0;
  #totals = 0;
  #asserted = 0;
  #traced = 0;
  #fenced = false;
  readonly #html: boolean;
  #prefix = new Uint8Array(0);
  #prefixed = 0;
  /** Of a page: whether the text is preformatted, and how much of it is. */
  #inside = false;
  #preformatted = 0;
  #bytes = 0;

  constructor(shape: Shape) {
    this.#html = shape === "html";
  }

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline === -1 ? chunk.length : newline;
      if (this.#inside) this.#preformatted += end - at;
      if (newline !== -1 && !this.#open) this.#look(chunk, at, end);
      else {
        const part = chunk.subarray(at, Math.min(end, at + LOOKED_BYTES - this.#held));
        this.#line.set(part, this.#held);
        this.#held += part.length;
        this.#open = true;
        if (newline !== -1) this.end();
      }
      at = end + 1;
    }
  }

  /** Takes the last line, which may have no newline. */
  end(): void {
    this.#look(this.#line, 0, this.#held);
    this.#held = 0;
    this.#open = false;
  }

  /** True once something speaks for it. */
  get suspected(): boolean {
    return this.#named + this.#perhaps + this.#totals + this.#asserted + this.#traced > 0;
  }

  /** Judged by what came so far. `failed` when the command is known to have ended with an error. */
  holds(failed: boolean): boolean {
    // What a page quotes is part of it.
    if (this.#html && this.#preformatted < PREFORMATTED_SHARE * this.#bytes) return false;
    const named = this.#named;
    const results = named + this.#totals;
    if (failed && results + this.#asserted + this.#traced > 0) return true;
    if (this.#totals > 0) return named + this.#perhaps + this.#asserted > 0;
    return named >= MANY || (this.#asserted > 0 && results + this.#perhaps > 0);
  }

  #look(bytes: Uint8Array, start: number, end: number): void {
    if (this.#html) {
      this.#lookInPage(bytes.subarray(start, Math.min(end, start + LOOKED_BYTES)));
      return;
    }
    const from = this.#prefixEnd(bytes, start, end);
    if (mayTell(bytes, from, end))
      this.#take(cleanLine(decode(bytes.subarray(from, Math.min(end, from + LOOKED_BYTES)))));
  }

  /** Looks at the text of a line that is preformatted. */
  #lookInPage(bytes: Uint8Array): void {
    if (!this.#inside && bytes.indexOf(LESS) === -1) return;
    const line = cleanLine(decode(bytes));
    const begins = /<pre\b/i.test(line);
    if (begins || this.#inside) {
      const text = line
        .replace(TAG, "")
        .replace(/&(\w{2,4}|#\w{2,3});/g, (whole, name: string) => ENTITIES[name] ?? whole);
      this.#take(text);
    }
    if (begins) this.#inside = true;
    if (/<\/pre\b/i.test(line)) this.#inside = false;
  }

  /** End of the name that the last lines all begin with; the start of the line if there is none. */
  #prefixEnd(bytes: Uint8Array, start: number, end: number): number {
    const prefix = this.#prefix;
    if (prefix.length > 0 && prefix.every((byte, index) => bytes[start + index] === byte)) {
      this.#prefixed++;
      return this.#prefixed < PREFIX_LINES ? start : Math.min(end, start + prefix.length);
    }
    const last = Math.min(end - 1, start + PREFIX_BYTES);
    for (let at = start + 1; at < last; at++) {
      if (bytes[at + 1] !== BLANK || !PREFIX_ENDS.has(bytes[at] as number)) continue;
      this.#prefix = bytes.slice(start, at + 2);
      this.#prefixed = 1;
      break;
    }
    return start;
  }

  #take(cleaned: string): void {
    const whole = cleaned.trimEnd();
    if (!MAY_TELL.test(whole)) return;
    const line = bodyOf(whole);
    // What a document quotes is part of it.
    if (FENCE.test(line)) this.#fenced = !this.#fenced;
    if (this.#fenced) return;
    if (ASSERTED.test(line)) this.#asserted++;
    else if (TOTALS.test(line.trimStart())) this.#totals++;
    else if (NAMED.test(line)) this.#named++;
    else if (PERHAPS_NAMED.test(line)) this.#perhaps++;
    else if (TRACED.test(line)) this.#traced++;
  }
}

function joined(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"), "u");
}

function bytesIn(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}

function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(256).fill(1, 128);
  for (const character of characters) bytes[character.charCodeAt(0)] = 1;
  return bytes;
}

/** A look at a line's first and last bytes, which spares most lines the patterns. */
function mayTell(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 4) return false;
  const first = bytes[start] as number;
  if (first !== 32 && first !== 9) {
    if (isPrefixed(bytes, start, end)) return true;
    const last = bytes[bytes[end - 1] === 13 ? end - 2 : end - 1] as number;
    return AT_MARGIN[first] === 1 || LAST[last] === 1;
  }
  let at = start + 1;
  while (at < end && (bytes[at] === 32 || bytes[at] === 9)) at++;
  return at < end && at < start + 17 && INDENTED[bytes[at] as number] === 1;
}

/** True for a line that begins with the name of a service and a bar, with columns before a date, with a date or a package. */
function isPrefixed(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] as number;
  if (first === 64) return true;
  if (first < 65 || first > 122) return false;
  if (bytes[start + 3] === BLANK && isDigit(bytes[start + 5])) return true;
  const last = Math.min(end, start + PREFIX_BYTES);
  for (let at = start + 1; at < last; at++) {
    if (bytes[at] === BAR) return true;
    if (bytes[at] === TAB && isDigit(bytes[at + 1])) return true;
  }
  return false;
}
