import type { GramPattern } from "./gram-set.ts";

/** A secret in bytes. */
export interface Find {
  readonly kind: string;
  readonly start: number;
  /** After its last byte. */
  readonly end: number;
}

/** The bytes that may be looked at to decide on one place. */
export interface View {
  readonly bytes: Uint8Array;
  /** Nothing before it may be looked at or replaced. */
  readonly floor: number;
  /** The end of the line, or as far as a line is looked at. */
  readonly end: number;
}

/** Four bytes that a secret cannot be without, and how far after the rule's place they stand. */
export interface Anchor {
  readonly gram: GramPattern;
  readonly offset: number;
}

/** One kind of secret: where to look, and what is one there. */
export interface Rule {
  readonly anchors: readonly Anchor[];
  /** What it begins with, for a secret that is known by that; `match` is asked only where it stands. */
  readonly begins?: string;
  /** For a secret that may be longer than its line: the view then ends where the bytes do, at most `most` on. */
  readonly spansLines?: {
    readonly most: number;
    /** True when bytes after the view's end could change the decision. */
    mayGrow(view: View, at: number): boolean;
  };
  /** Decides on a place where an anchor stands. */
  match(view: View, at: number): Find | undefined;
}
