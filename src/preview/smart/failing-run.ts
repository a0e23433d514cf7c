import { decode } from "../../bytes/utf8.ts";
import { cleanLine } from "../clean.ts";
import type { Shape } from "./detect-shape.ts";

const NEWLINE = 10;
/** A result line tells what it is within this many bytes. */
const LOOKED_BYTES = 400;

/** Lines by which a test runner names a failed test. */
const NAMED = joined([
  // pytest, unittest, Django
  /^(?:FAILED|ERROR) \S*(?:::|\.\w{1,5}(?: |$))/,
  /^(?:FAIL|ERROR): \S+ \(\S/,
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

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline === -1 ? chunk.length : newline;
      if (newline !== -1 && !this.#open) {
        if (mayTell(chunk, at, end)) this.#take(chunk.subarray(at, Math.min(end, at + LOOKED_BYTES)));
      } else {
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
    if (mayTell(this.#line, 0, this.#held)) this.#take(this.#line.subarray(0, this.#held));
    this.#held = 0;
    this.#open = false;
  }

  /** True once something speaks for it. */
  get suspected(): boolean {
    return this.#named + this.#perhaps + this.#totals + this.#asserted + this.#traced > 0;
  }

  /** Judged by what came so far. `failed` when the command is known to have ended with an error. */
  holds(shape: Shape, failed: boolean): boolean {
    // What a page quotes is part of it.
    if (shape === "html") return false;
    const named = this.#named;
    const results = named + this.#totals;
    if (failed && results + this.#asserted + this.#traced > 0) return true;
    if (this.#totals > 0) return named + this.#perhaps + this.#asserted > 0;
    return named >= MANY || (this.#asserted > 0 && results + this.#perhaps > 0);
  }

  #take(bytes: Uint8Array): void {
    const line = cleanLine(decode(bytes)).trimEnd();
    if (!MAY_TELL.test(line)) return;
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
    const last = bytes[bytes[end - 1] === 13 ? end - 2 : end - 1] as number;
    return AT_MARGIN[first] === 1 || LAST[last] === 1;
  }
  let at = start + 1;
  while (at < end && (bytes[at] === 32 || bytes[at] === 9)) at++;
  return at < end && at < start + 17 && INDENTED[bytes[at] as number] === 1;
}
