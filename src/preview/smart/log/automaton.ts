import {
  type AutomatonPlan,
  type AutomatonWord,
  CLASS_BITS,
  LINE_END,
  MAX_CLASSES,
  planAutomaton,
  STATE_MASK,
  STATE_NUMBERS,
  STATE_RULES,
  STATE_SHOWN,
} from "./automaton-plan.ts";
import { RULE_BANKS } from "./row-finder.ts";

/**
 * Finds many words at once in bytes: one table lookup per byte. ASCII letters count in either case, others as a word
 * spells them. The tables are made by a finder, where it looks them up.
 */
export interface Automaton {
  readonly plan: AutomatonPlan;
  /** Another one, all of whose words it has too. */
  readonly base?: Automaton;
}

/** How states follow each other, and what they find. */
export interface AutomatonTables {
  /** The class of each byte. */
  readonly classes: Uint8Array;
  /** Next state by `state << CLASS_BITS | classes[byte]`; small enough to stay in a processor's cache. */
  readonly next: Uint16Array;
  /** `STATE_NUMBERS` for each state. */
  readonly masks: Int32Array;
  /** States from here on end a word. */
  readonly accepting: number;
}

/** What a state is made of. */
export interface AutomatonStates {
  readonly accepting: number;
  /** State after a newline, from where words that begin with a newline are found; it counts as accepting. */
  readonly lineStart: number;
  /** What ends in a state, as one of the plan's kinds, apart from what ends in the state that it falls back to. */
  readonly kinds: Uint16Array;
  /** The state after the longest shorter beginning of a word that a state ends with. */
  readonly fallbacks: Uint16Array;
}

/** The automaton of some words. */
export function createAutomaton(words: readonly AutomatonWord[]): Automaton {
  return { plan: planAutomaton(words) };
}

/**
 * Fills in where a state goes on when its own word does not: level by level, as from the longest shorter beginning that
 * it ends with. States are numbered as they are met, accepting ones from the top.
 */
export function fillTables({
  classes,
  children,
  symbols,
  kinds,
  found,
}: AutomatonPlan): AutomatonTables & AutomatonStates {
  const size = children.length;
  const next = new Uint16Array(size << CLASS_BITS);
  const masks = new Int32Array(size * STATE_NUMBERS);
  const states = new Uint16Array(size);
  const kindOf = new Uint16Array(size);
  const fallbacks = new Uint16Array(size);
  let plain = 1;
  let accepting = size;
  for (let node = 0, child = 1; node < size; node++) {
    const parent = states[node] as number;
    const row = parent << CLASS_BITS;
    const fallback = (fallbacks[parent] as number) << CLASS_BITS;
    if (node !== 0) next.copyWithin(row, fallback, fallback + MAX_CLASSES);
    for (const end = child + (children[node] as number); child < end; child++) {
      const at = row | (symbols[child] as number);
      const shorter = next[at] as number;
      const kind = kinds[child] as number;
      const own = found.subarray(kind * STATE_NUMBERS, (kind + 1) * STATE_NUMBERS);
      const inherited = masks.subarray(shorter * STATE_NUMBERS, (shorter + 1) * STATE_NUMBERS);
      const mask = (own[STATE_MASK] as number) | ((inherited[STATE_MASK] as number) & (own[STATE_SHOWN] as number));
      const rules = Array.from(
        { length: RULE_BANKS },
        (_, bank) => (own[STATE_RULES + bank] as number) | (inherited[STATE_RULES + bank] as number),
      );
      const finds = at === LINE_END || mask !== 0 || rules.some((bits) => bits !== 0);
      const state = finds ? --accepting : plain++;
      masks[state * STATE_NUMBERS + STATE_MASK] = mask;
      masks.set(rules, state * STATE_NUMBERS + STATE_RULES);
      states[child] = state;
      kindOf[state] = kind;
      fallbacks[state] = shorter;
      next[at] = state;
    }
  }
  return { classes, next, masks, accepting, lineStart: next[LINE_END] as number, kinds: kindOf, fallbacks };
}
