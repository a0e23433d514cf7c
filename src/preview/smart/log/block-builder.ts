import type { Question } from "../question.ts";
import { Continuation } from "./continuation.ts";
import type { BlockRow, Reservoir } from "./reservoir.ts";
import type { RowListener, RowScanner } from "./row-scanner.ts";
import { bodyOf, classify } from "./rules/classify.ts";
import type { Rule } from "./rules/rule.ts";
import { type TemplateCounts, templateOf } from "./template.ts";
import { QUESTION } from "./words.ts";

interface OpenBlock {
  readonly score: number;
  readonly reason: string;
  readonly template: string;
  readonly occurrence: number;
  readonly rows: BlockRow[];
  readonly continuation: Continuation;
}

const CONTEXT_BYTES = 12_288;
const QUESTION_RULE: Omit<Rule, "needs" | "pattern"> = { score: 0, reason: "question", following: "none", before: 0 };

/** Turns rows into blocks: a line that matters, what stands before it and what belongs to it after. */
export class BlockBuilder implements RowListener {
  readonly #scanner: RowScanner;
  readonly #reservoir: Reservoir;
  readonly #templates: TemplateCounts;
  readonly #question: Question;
  #open: OpenBlock | undefined;
  #order = 0;
  /** End of the last row that is part of a block. */
  #takenTo = 0;
  #observed = 0;

  constructor(scanner: RowScanner, reservoir: Reservoir, templates: TemplateCounts, question: Question) {
    this.#scanner = scanner;
    this.#reservoir = reservoir;
    this.#templates = templates;
    this.#question = question;
  }

  get attentive(): boolean {
    return this.#open !== undefined;
  }

  onRow(mask: number): void {
    const row = this.#scanner.row(0);
    const asked = (mask & QUESTION) !== 0 ? this.#ask(row.text) : 0;
    const rule = mask === 0 ? undefined : classify(bodyOf(row.text), mask);
    const score = (rule?.score ?? 0) + 12 * asked;
    if (score > 0 && this.#start(rule ?? QUESTION_RULE, score, asked > 0)) return;
    const open = this.#open;
    if (open === undefined) return;
    const factor = open.continuation.next(row.text);
    if (factor === undefined) {
      this.close();
      return;
    }
    open.rows.push({ row, factor: Math.max(factor, Math.min(1, score / open.score)) });
    this.#takenTo = row.byte + row.bytes;
    if (!open.continuation.open) this.close();
  }

  close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#reservoir.add({ ...open, order: this.#order++ });
  }

  #ask(text: string): number {
    this.#question.observeNone(this.#scanner.count - 1 - this.#observed);
    this.#observed = this.#scanner.count;
    this.#question.observe(text);
    return Math.min(8, this.#question.score(text));
  }

  /** False when the row is better seen as part of the open block. */
  #start(rule: Omit<Rule, "needs" | "pattern">, score: number, asked: boolean): boolean {
    const open = this.#open;
    if (open !== undefined && score < 0.6 * open.score && !asked) return false;
    const row = this.#scanner.row(0);
    const template = templateOf(row.text);
    const occurrence = this.#templates.add(template);
    const damped = dampRepeat(score, occurrence);
    if (occurrence > 8 && this.#reservoir.rejects(damped)) {
      this.close();
      return true;
    }
    const rows: BlockRow[] = [];
    if (occurrence <= 8) this.#takeBefore(rule.before ?? 1, rule.reason, rows);
    this.close();
    rows.push({ row, factor: 1 });
    this.#takenTo = row.byte + row.bytes;
    const continuation = new Continuation(rule.following ?? "block");
    this.#open = { score: damped, reason: rule.reason, template, occurrence, rows, continuation };
    if (!continuation.open) this.close();
    return true;
  }

  #takeBefore(wanted: number, reason: string, rows: BlockRow[]): void {
    const reach = Math.min(wanted, this.#scanner.reach(CONTEXT_BYTES) - 1);
    const anchor = reason === "exit status" || reason === "make stopped";
    for (let ago = reach; ago >= 1; ago--) {
      if (this.#scanner.byteOf(ago) < this.#takenTo) continue;
      const before = this.#scanner.row(ago);
      const factor = before.text.trim() === "" ? 0 : anchor ? 0.95 * 0.955 ** (ago - 1) : 0.45 * 0.7 ** (ago - 1);
      rows.push({ row: before, factor });
    }
  }
}

/** A strong line may come a few times before it fades; a weak one fades at once. */
function dampRepeat(score: number, occurrence: number): number {
  if (score >= 85) return occurrence <= 6 ? score : score * 0.97 ** (occurrence - 6);
  if (score >= 60) return score * 0.95 ** (occurrence - 1);
  return score * 0.75 ** (occurrence - 1);
}
