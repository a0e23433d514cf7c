import { LONGEST_WORD, STATE_NUMBERS, STATE_RULES } from "./automaton-plan.ts";
import { FIND_BYTES, ROW_NUMBERS } from "./row-finder.ts";

/** A table of the automaton has at most so many states. */
const MOST_STATES = 65_536;
/** Bytes that follow each other are read in steps, also beyond the last. */
const SLACK = 64;

/** The search follows so many places at once, this far apart. */
export const LANES = 4;
export const LANE_BYTES = 4096;

/**
 * Where things stand in the memory of the finder: the classes of bytes, for each place where its next find goes, the bytes,
 * the finds, the finds of places further on.
 */
export const CLASSES_AT = 0;
export const OUTS_AT = 512;
export const BYTES_AT = 1024;
export const FINDS_AT = BYTES_AT + LONGEST_WORD + FIND_BYTES + SLACK;
export const LANE_FINDS_AT = FINDS_AT + 4 * FIND_BYTES;
/** What is known of a state, and how far in it what the banks of rules tell. */
export const STATE_BYTES = 4 * STATE_NUMBERS;
export const RULES_OFFSET = 4 * STATE_RULES;
/** The rows, the masks of states, and the automaton's table; after that what it is filled from. */
export const ROWS_AT = LANE_FINDS_AT + 4 * LANES * LANE_BYTES;
export const MASKS_AT = ROWS_AT + 4 * ROW_NUMBERS * FIND_BYTES;
export const TABLE_AT = MASKS_AT + STATE_BYTES * MOST_STATES;
