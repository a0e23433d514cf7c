import type { GramPattern } from "../gram-set.ts";
import type { Anchor } from "../types.ts";

export const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const DIGITS = "0123456789";

/** Four characters as they are. */
export function exactly(text: string, offset = 0): Anchor {
  return { gram: [...text] as unknown as GramPattern, offset };
}

/** Four characters, letters in either case. */
export function inAnyCase(text: string, offset = 0): Anchor {
  const gram = [...text].map((character) => `${character.toLowerCase()}${character.toUpperCase()}`);
  return { gram: gram as unknown as GramPattern, offset };
}
