import type { Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../lines/held-line.ts";
import type { Declaration } from "./declaration.ts";
import type { PlacedPage } from "./placed-page.ts";
import { keepLine, type SourceLine } from "./source-line.ts";
import type { LineKind } from "./source-parser.ts";

/** Lines in a row that came under one declaration. */
export interface SourceBlock {
  /** The number of the first line. */
  readonly line: number;
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;
  readonly chars: number;
  /** Adds its lines, in order. */
  giveLines(to: SourceLine[]): void;
}

/** What is known of a block besides its lines. */
interface BlockFacts {
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;
  readonly chars: number;
}

/** Keeps lines of a page, as one text where they stand in one. */
export function keepBlock(page: PlacedPage, from: number, to: number, facts: BlockFacts): SourceBlock {
  return page.isRun(from, to) ? new RunBlock(page, from, to, facts) : new MixedBlock(page, from, to, facts);
}

/** Lines that each have a text. */
class MixedBlock implements SourceBlock {
  readonly line: number;
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;
  readonly chars: number;
  readonly #lines: SourceLine[] = [];

  constructor(page: PlacedPage, from: number, to: number, { scope, tally, chars }: BlockFacts) {
    this.line = page.line + from;
    this.scope = scope;
    this.tally = tally;
    this.chars = chars;
    for (let index = from; index < to; index++) this.#lines.push(keepLine(page, index, scope));
  }

  giveLines(to: SourceLine[]): void {
    for (const line of this.#lines) to.push(line);
  }
}

const NO_TALLIES: readonly undefined[] = [];

/** Lines as one text, cut when one of them is looked at: of a long source few are. */
class RunBlock implements SourceBlock {
  readonly line: number;
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;
  readonly chars: number;
  readonly #text: string;
  readonly #byte: number;
  readonly #char: number;
  readonly #kinds: readonly LineKind[];
  readonly #tallies: readonly (Tally | undefined)[];
  #lines: readonly string[] | undefined;

  constructor(page: PlacedPage, from: number, to: number, { scope, tally, chars }: BlockFacts) {
    this.line = page.line + from;
    this.scope = scope;
    this.tally = tally;
    this.chars = chars;
    this.#text = page.runText(from, to);
    this.#byte = page.bytes[from] as number;
    this.#char = page.chars[from] as number;
    this.#kinds = page.kinds.slice(from, to);
    this.#tallies = tally === undefined ? NO_TALLIES : page.tallies.slice(from, to);
  }

  giveLines(to: SourceLine[]): void {
    for (let index = 0; index < this.#kinds.length; index++)
      to.push(new RunLine(this, index, this.#kinds[index] as LineKind, this.#tallies[index]));
  }

  text(index: number): string {
    this.#lines ??= this.#text.split("\n");
    return this.#lines[index] as string;
  }

  held(index: number): HeldLine {
    const text = this.text(index);
    const chars = text.length + 1;
    let before = 0;
    for (let at = 0; at < index; at++) before += this.text(at).length + 1;
    const line = this.line + index;
    const byte = this.#byte + before;
    const char = this.#char + before;
    return { text, line, byte, char, bytes: chars, chars, terminated: true, cut: false };
  }
}

class RunLine implements SourceLine {
  readonly kind: LineKind;
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;
  readonly line: number;
  readonly #block: RunBlock;
  readonly #index: number;

  constructor(block: RunBlock, index: number, kind: LineKind, tally: Tally | undefined) {
    this.kind = kind;
    this.scope = block.scope;
    this.tally = tally;
    this.line = block.line + index;
    this.#block = block;
    this.#index = index;
  }

  get text(): string {
    return this.#block.text(this.#index);
  }

  get chars(): number {
    return this.text.length + 1;
  }

  get held(): HeldLine {
    return this.#block.held(this.#index);
  }
}
