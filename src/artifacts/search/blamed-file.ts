/** A line that says that something went wrong, and one that says less. */
const FAULT =
  /\b(?:error|errors|err!|fail|failed|failure|failing|fatal|traceback|panic(?:ked)?|cannot|can't|undefined|unresolved)\b|[a-z](?:Error|Exception)\b|[✗✕×✖●]/i;
const REMARK = /\b(?:warn(?:ing)?s?|note|info|hint|deprecated)\b/i;
/** A file name with its ending, and a line number: `a.c:3`, `a.cs(3,5)`, `[a.java:[3,5]`, `"a.py", line 3`. */
const NAME = String.raw`(?:[\w@~+-][\w.@~+-]*|\.{1,2})?(?:[\\/][\w.@~+ -]*[\w@~+-])*\.[A-Za-z][A-Za-z0-9]{0,9}`;
const PLACED = new RegExp(String.raw`${NAME}(?:["']?:\[?\d+|\(\d+|["'], line \d+)`);
/** As compilers begin a message that they call nothing: `a.go:27:9: declared and not used`. */
const MESSAGE = new RegExp(String.raw`^\s*${NAME}:\d+:\d+: (?!warning|note|info|remark)\S`, "i");
const NAMED = new RegExp(String.raw`(?:^|[\s("'\x60[=:/])${NAME}(?=$|[\s"'\x60)\]:,;]|::)`);

/** A name that has a line of its own, as linters put it above their messages. */
const ALONE = new RegExp(String.raw`^\s*${NAME}:?\s*$`);

/** How many lines away a message can stand from the line that names the file. */
const LINES_BELOW_MESSAGE = 6;
const LINES_ABOVE_MESSAGE = 3;

const PLACED_POINTS = 5;
const NAMED_POINTS = 3;

/** How well each line of a text tells which file is at fault; 0 if it names none. */
export function blamePoints(lines: readonly string[]): readonly number[] {
  const faults = lines.map(faultOf);
  return lines.map((line, at) => {
    const points = PLACED.test(line) ? PLACED_POINTS : NAMED.test(line) ? NAMED_POINTS : 0;
    if (points === 0) return 0;
    const above = faults.slice(Math.max(0, at - LINES_BELOW_MESSAGE), at).reverse();
    // A name alone can be the heading of what follows.
    const below =
      points === NAMED_POINTS || /["'], line \d/.test(line) ? faults.slice(at + 1, at + 1 + LINES_ABOVE_MESSAGE) : [];
    const fault = [faults[at], ...above, ...below].find((each) => each !== undefined);
    return fault === true ? points + (faults[at] === true || ALONE.test(line) ? 1 : 0) : 0;
  });
}

/** True for a line that reports a fault, false for a remark, undefined for one that is neither. */
function faultOf(line: string): boolean | undefined {
  if (MESSAGE.test(line)) return true;
  // "0 errors" and "error_handler.ts" report none.
  const said = line.replaceAll(/\b(?:0|no) (?:errors?|failures?|failed)\b/gi, "").replaceAll(/[\w./\\-]+\.\w+/g, " ");
  return FAULT.test(said) ? true : REMARK.test(said) ? false : undefined;
}
