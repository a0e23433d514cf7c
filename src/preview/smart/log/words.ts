/** What a row may hold, one bit each. */
export const ERROR = 1 << 0;
export const FAIL = 1 << 1;
export const EXCEPTION = 1 << 2;
export const FATAL = 1 << 3;
export const WARN = 1 << 4;
export const NEGATION = 1 << 5;
export const EXIT = 1 << 6;
export const ASSERT = 1 << 7;
export const SUMMARY = 1 << 8;
export const MARK = 1 << 9;
export const LOCATION = 1 << 10;
export const ENUMERATION = 1 << 11;
export const LEVEL = 1 << 12;
export const KERNEL = 1 << 13;
export const DIFF = 1 << 14;
export const COMMAND = 1 << 15;
/** A word of trouble in a language other than English. */
export const LANGUAGE = 1 << 16;
/** A tool's heading over what one of its steps prints. */
export const STEP = 1 << 17;
/** The beginning of a colour code; a row keeps it only if the colour is red. */
export const COLOR = 1 << 28;
/** A word of the question by which a log is ranked. */
export const QUESTION = 1 << 29;
/** A name that the question asks for. */
export const ASKED = 1 << 30;
/** The row ends in a lone E or F, the shortest form of a failed test. */
export const LETTER_STATUS = 1 << 31;
