/** What stands for an operator in basic `grep` and for the character itself here. */
const BASIC = /\\\||[\].]\\\+|\\\{\d/;
const ESCAPED = /\\([|(){}+?])/g;

/** What to tell of a pattern that found nothing: how to write it, where it reads as one of basic `grep`; else empty. */
export function sayBasicPattern(pattern: string): string {
  if (!BASIC.test(pattern)) return "";
  const meant = pattern.replaceAll(ESCAPED, "$1");
  return `Unlike in basic grep, a backslash makes | ( ) { } + and ? ordinary characters here. If you meant the operators, write ${meant}`;
}
