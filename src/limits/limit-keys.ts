/** The keys of a config file that are limits of a tool. */
export const LIMIT_KEYS: readonly string[] = [
  "max_lines",
  "max_bytes",
  "max_chars",
  "max_tokens",
  "truncation_strategy",
  "strategy",
];

/** Close to a limit's name: a mistake rather than a tool's parameter, which would be taken in silence. */
export const MISSPELT_LIMIT =
  /^(?:max[-_]?(?:line|byte|char|character|token)s?|(?:truncation[-_]?)?strategy|truncation[-_]?direction)$/i;
