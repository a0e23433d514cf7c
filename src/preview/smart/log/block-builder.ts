import type { Relevance } from "../../../query/relevance.ts";
import { answerValue } from "./answer-value.ts";
import { Continuation } from "./continuation.ts";
import { CountTable } from "./count-table.ts";
import { FamiliarRows } from "./familiar-rows.ts";
import { type Findings, ruleOf } from "./findings.ts";
import { KnownRows } from "./known-rows.ts";
import { type BlockRow, type Reservoir, sizeOfRows } from "./reservoir.ts";
import type { Row } from "./row.ts";
import type { RowListener, RowScanner } from "./row-scanner.ts";
import { bodyOf, classifyRow, isPassed, levelFactor } from "./rules/classify.ts";
import { type Verdict, wholeVerdict } from "./rules/rule.ts";
import { COMMAND_LINE } from "./rules/systems.ts";
import { type TemplateCounts, templateOf } from "./template.ts";
import { COLOR, COMMAND, ERROR, LOCATION, QUESTION, WARN } from "./words.ts";

interface OpenBlock {
  readonly score: number;
  readonly reason: string;
  readonly kind: number;
  readonly occurrence: number;
  readonly ruled: boolean;
  readonly rows: BlockRow[];
  readonly continuation: Continuation;
  /** How often each template came around it, when what stands further away is shown where room is left over. */
  readonly around: Map<number, number> | undefined;
}

const MOST_KINDS = 4096;
const CONTEXT_BYTES = 12_288;
/** Occurrences of one template that are worth their context, and those worth what follows them. */
const FRESH = 4;
const FADED = 12;
/** Below this a block is kept only for its score, not for being among the latest. */
const WEAK = 40;
/** What the first message of a rule is worth at least. */
const FIRST_OF_RULE = 62;
/** From here on the row before belongs to it, even one that has a block of its own. */
const SURE = 90;
/** A strong block, of which there are few, has so many rows further around it for what room is left over. */
const WIDE_SCORE = 80;
const MOST_WIDE = 12;
const WIDE_ROWS = 12;
const AROUND = 0.25;
/** Rows of one template around a block that still tell something. */
const NEWS = 2;
const AROUND_FADE = 0.985;
/** Goes on with what the line before it said, though its level stands before it once more. */
const DEEPER = /^\[(?:ERROR|error)\]\s{2,}\S/;
const RED_RULE = wholeVerdict({ score: 56, reason: "printed in red", before: 0 });
const QUESTION_RULE = wholeVerdict({ score: 0, reason: "question", following: "none", before: 0 });

/** Turns rows into blocks: a line that matters, what stands before it and what belongs to it after. */
export class BlockBuilder implements RowListener {
  readonly #scanner: RowScanner;
  readonly #reservoir: Reservoir;
  readonly #templates: TemplateCounts;
  readonly #relevance: Relevance;
  readonly #familiar = new FamiliarRows();
  readonly #known = new KnownRows();
  readonly #findings: Findings;
  /** Counts lines that are equal but for their numbers. */
  readonly #kinds = new CountTable(MOST_KINDS);
  #open: OpenBlock | undefined;
  /** A wide block that has ended, while rows after it are taken. */
  #trailing: { readonly block: OpenBlock; rows: number } | undefined;
  #wide = 0;
  #order = 0;
  /** End of the last row that is part of a block. */
  #takenTo = 0;
  #observed = 0;
  /** The command whose output is being read, until it is known to have failed. */
  #command: Row | undefined;

  constructor(
    scanner: RowScanner,
    reservoir: Reservoir,
    templates: TemplateCounts,
    relevance: Relevance,
    findings: Findings,
  ) {
    this.#scanner = scanner;
    this.#reservoir = reservoir;
    this.#templates = templates;
    this.#relevance = relevance;
    this.#findings = findings;
  }

  get attentive(): boolean {
    return this.#open !== undefined || this.#trailing !== undefined || this.#findings.inTable;
  }

  onRow(mask: number): boolean {
    if (mask !== 0) this.#kinds.add(this.#scanner.fingerprint, 0);
    if (this.#findings.inTable) this.#findings.takeTableRow(this.#scanner);
    // Colour codes may stand within a location.
    const colored = (mask & (ERROR | WARN)) !== 0 && this.#scanner.foundRules === undefined;
    if ((mask & LOCATION) !== 0 || colored) this.#findings.take(this.#scanner);
    this.#take(mask);
    return this.attentive;
  }

  #take(mask: number): void {
    const family = mask === 0 ? 0 : this.#scanner.signature;
    const familiar = mask === 0 ? undefined : this.#familiar.scoreOf(family);
    if (familiar !== undefined && (mask & QUESTION) === 0 && this.#reservoir.rejects(familiar)) {
      this.#close();
      return;
    }
    const alone = this.#open === undefined && mask !== 0 && (mask & QUESTION) === 0;
    const fingerprint = alone ? this.#scanner.fingerprint : undefined;
    if (fingerprint !== undefined && this.#passOver(fingerprint, family)) return;
    const text = this.#scanner.latestText();
    const asked = (mask & QUESTION) !== 0 ? this.#ask(text) : 0;
    const body = bodyOf(text);
    if ((mask & COMMAND) !== 0 && COMMAND_LINE.test(body)) {
      this.#close();
      this.#command = this.#scanner.row(0);
      if (asked === 0) return;
    }
    const red = (mask & COLOR) !== 0 && text !== "" && !isPassed(body);
    const found = mask === 0 ? undefined : classifyRow(text, body, mask, this.#scanner.foundRules);
    const rule = found ?? (red ? RED_RULE : QUESTION_RULE);
    const score =
      rule.score * this.#level(rule.score, body) + (red && rule.score < 75 && rule !== RED_RULE ? 10 : 0) + 14 * asked;
    if (mask !== 0) this.#familiar.add(family, score);
    const broken = score > 0 ? ruleOf(body, rule.reason) : undefined;
    const template = score > 0 ? templateOf(broken === undefined ? text : `rule ${rule.reason} ${broken}`) : 0;
    if (fingerprint !== undefined) this.#known.set(fingerprint, score, template);
    const news = broken !== undefined && this.#templates.next(template) === 1;
    const deeper = this.#open !== undefined && score < 90 && asked <= 1 && DEEPER.test(body);
    const start = (apart: boolean): boolean => this.#start(rule, score, template, apart || news, broken !== undefined);
    // A row that only shares words with the question stays in its trace.
    if (score > 0 && !deeper && start(asked > 1 && rule !== QUESTION_RULE)) return;
    const open = this.#open;
    if (open === undefined) {
      this.#trail();
      return;
    }
    const factor = open.continuation.next(body);
    if (factor === undefined) {
      this.#close();
      if (asked > 1 && start(true)) return;
      this.#trail();
      return;
    }
    const row = this.#scanner.row(0);
    open.rows.push({ row, factor: Math.max(factor, deeper ? 0 : Math.min(1, score / open.score)) });
    this.#takenTo = row.byte + row.bytes;
    if (!open.continuation.open) this.#close();
  }

  /** How many lines of a kind came; 0 if they were not counted from the first. */
  countOf(kind: number): number {
    return this.#kinds.countOf(kind);
  }

  /** Gives away what is open, since no row follows. */
  end(): void {
    this.#close();
    this.#release();
    this.#findings.endTable();
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#release();
    this.#trailing = { block: open, rows: 0 };
    if (open.around === undefined) this.#release();
  }

  /** Takes a row that belongs to no block for the one before it. */
  #trail(): void {
    const trailing = this.#trailing;
    if (trailing === undefined) return;
    const row = this.#scanner.row(0);
    trailing.block.rows.push({ row, factor: aroundFactor(row, ++trailing.rows, trailing.block.around) });
    if (trailing.rows >= WIDE_ROWS) this.#release();
  }

  #release(): void {
    if (this.#trailing === undefined) return;
    const { score, reason, kind, occurrence, ruled, rows } = this.#trailing.block;
    this.#trailing = undefined;
    const chars = sizeOfRows(rows);
    this.#reservoir.add({ score, reason, kind, occurrence, ruled, rows, chars, order: this.#order++ });
  }

  /** True when the row repeats one whose score is known, and would not open a block. */
  #passOver(fingerprint: number, family: number): boolean {
    const score = this.#known.scoreOf(fingerprint);
    if (score === undefined) return false;
    if (score > 0) {
      const template = this.#known.templateOf(fingerprint);
      if (!this.#fades(score, this.#templates.next(template))) return false;
      this.#templates.add(template);
    }
    this.#familiar.add(family, score);
    return true;
  }

  /** True when a row has come so often, or is so weak, that it opens no block. */
  #fades(score: number, occurrence: number): boolean {
    return (occurrence > FRESH || score < WEAK) && this.#reservoir.rejects(dampRepeat(score, occurrence));
  }

  /** A line that calls itself a warning or information is believed, less so when it looks like an exception. */
  #level(score: number, body: string): number {
    if (score <= 30 || score >= 90) return 1;
    const factor = levelFactor(body);
    return score >= 70 ? Math.sqrt(Math.sqrt(factor)) : factor;
  }

  #ask(text: string): number {
    const tally = this.#relevance.tally(text);
    this.#relevance.observe(undefined, this.#scanner.count - 1 - this.#observed);
    this.#observed = this.#scanner.count;
    this.#relevance.observe(tally);
    return answerValue(this.#relevance.score(tally));
  }

  /** False when the row is better seen as part of the open block. */
  #start(rule: Verdict, score: number, template: number, asked: boolean, ruled: boolean): boolean {
    const open = this.#open;
    const hold = open?.continuation.following === "list" ? 1 : 0.6;
    if (open !== undefined && score < hold * open.score && !asked) return false;
    const occurrence = this.#templates.add(template);
    // One of each rule comes before a second of any.
    const damped = ruled && occurrence === 1 ? Math.max(score, FIRST_OF_RULE) : dampRepeat(score, occurrence);
    if (this.#fades(score, occurrence)) {
      this.#close();
      return true;
    }
    const rows: BlockRow[] = [];
    const wide = damped >= WIDE_SCORE && occurrence <= FRESH && ++this.#wide <= MOST_WIDE;
    const around = wide ? new Map<number, number>() : undefined;
    if (occurrence <= FRESH) this.#takeBefore(rule, rule.before ?? (score >= 60 ? 4 : 1), around, rows);
    this.#close();
    const row = this.#scanner.row(0);
    rows.push({ row, factor: 1 });
    this.#takenTo = row.byte + row.bytes;
    const continuation = new Continuation(occurrence > FADED ? "none" : (rule.following ?? "block"), damped);
    const kind = this.#scanner.fingerprint;
    this.#open = { score: damped, reason: rule.reason, kind, occurrence, ruled, rows, continuation, around };
    if (!continuation.open) this.#close();
    return true;
  }

  #takeBefore(
    { reason, score, following }: Verdict,
    wanted: number,
    around: OpenBlock["around"],
    rows: BlockRow[],
  ): void {
    const reach =
      this.#scanner.reach(CONTEXT_BYTES, (around === undefined ? wanted : Math.max(wanted, WIDE_ROWS)) + 1) - 1;
    const above = reason === "linter message";
    const anchor = reason === "exit status" || reason === "make stopped";
    let from = this.#takenTo;
    if (anchor && this.#command !== undefined) {
      rows.push({ row: this.#command, factor: 0.75 });
      // The output of a failed command belongs to its end, whatever was found in it.
      from = Math.min(from, this.#command.byte + this.#command.bytes);
      this.#command = undefined;
    }
    // What was logged just before a trace says what was being done.
    const nearest = following === "trace" ? 0.7 : 0.45;
    const nearestFirst: BlockRow[] = [];
    for (let ago = 1; ago <= reach; ago++) {
      const again = above || (ago === 1 && (following === "trace" || score >= SURE));
      if (this.#scanner.byteOf(ago) < from && !again) continue;
      const before = this.#scanner.row(ago);
      if (before.text.trim() === "") {
        nearestFirst.push({ row: before, factor: 0 });
        continue;
      }
      const far = aroundFactor(before, ago, around);
      const close = above ? 0.95 : anchor ? 0.95 * 0.978 ** (ago - 1) : nearest * 0.6 ** (ago - 1);
      nearestFirst.push({ row: before, factor: ago > wanted ? far : Math.max(far, close) });
    }
    rows.push(...nearestFirst.reverse());
  }
}

/** What a row `away` rows from a block is worth to it: nothing when it is more of the same. */
function aroundFactor(row: Row, away: number, seen: Map<number, number> | undefined): number {
  if (seen === undefined) return 0;
  const template = templateOf(row.text);
  const before = seen.get(template) ?? 0;
  seen.set(template, before + 1);
  return before < NEWS ? AROUND * AROUND_FADE ** away : 0;
}

/** A strong line may come a few times before it fades; a weak one fades at once. */
function dampRepeat(score: number, occurrence: number): number {
  if (score >= 85) return score * (occurrence <= 6 ? 1 - 0.012 * (occurrence - 1) : 0.9 * 0.95 ** (occurrence - 7));
  if (score >= 50) return score * 0.94 ** (occurrence - 1);
  return score * 0.75 ** (occurrence - 1);
}
