import { PatternReader } from "./pattern-reader.ts";

/**
 * The characters of ASCII with which a text may begin that a pattern matches; undefined when it may begin with any. One that
 * is not ASCII always may.
 */
export function firstCharacters(pattern: RegExp): ReadonlySet<string> | undefined {
  const { first, mayBeEmpty, anchored } = new PatternReader(pattern.source).readAlternatives();
  if (mayBeEmpty || anchored !== true) return undefined;
  if (!pattern.ignoreCase) return first;
  return new Set([...first].flatMap((character) => [character.toLowerCase(), character.toUpperCase()]));
}
