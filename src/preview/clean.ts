// CSI, OSC (ended by BEL or ST), other two-byte escapes, and their eight-bit forms; bounded so that no input backtracks far.
const ESCAPES =
  /\u001b\[[0-9:;<=>?]{0,64}[ -/]{0,8}[@-~]|\u001b\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]{0,4096}\u001b\\|\u001b[ -/]{0,4}[0-~]|\u009b[0-9:;<=>?]{0,64}[ -/]{0,8}[@-~]|\u001b/g;
const NEEDS_CLEANING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/;
/** Codes after which a line is written from its start again: erased, or the cursor at its first column or in another line. */
const RESTARTS = /\u001b\[(?:[01]?G|[12][JK]|\d{0,4}[AEF]|[\d;]{0,9}[Hf])/g;
const LEFT = /\u001b\[(\d{0,3})D/g;
const REWRITTEN = /[\r\u0008]|\u001b\[(?:[01]?G|[12][JK]|\d{0,4}[ADEF]|[\d;]{0,9}[Hf])/;
const CONTROLS = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]+/g;

const BRACKET = 0x5b;
const ZERO = 0x30;
const NINE = 0x39;
const SEMICOLON = 0x3b;
const FIRST_FINAL = 0x40;
const LAST_FINAL = 0x7e;
const LONGEST_COLOR = 64;

/**
 * One line as a terminal would leave it: escape codes removed, carriage-return progress collapsed to its last state,
 * overstruck characters resolved, other control characters dropped, NUL shown as ␀, lone surrogates replaced.
 * The line comes without its newline.
 */
export function cleanLine(line: string): string {
  const shown = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (!NEEDS_CLEANING.test(shown)) return shown;
  const moved = shown.includes("\u001b[")
    ? shown.replace(RESTARTS, "\r").replace(LEFT, (_, columns: string) => "\b".repeat(Number(columns || 1)))
    : shown;
  return moved.includes("\r") ? lastState(moved) : withoutControls(moved);
}

/** True when a terminal writes over what a line held before. */
export function isRewritten(line: string): boolean {
  return REWRITTEN.test(line.endsWith("\r") ? line.slice(0, -1) : line);
}

/** False when every line of a text is as a terminal would leave it. */
export function needsCleaning(text: string): boolean {
  return NEEDS_CLEANING.test(text);
}

/** What a terminal shows of a line that was rewritten with carriage returns: its last state that is not blank. */
function lastState(line: string): string {
  let end = line.length;
  while (end > 0) {
    const start = line.lastIndexOf("\r", end - 1) + 1;
    const part = line.slice(start, end);
    const state = NEEDS_CLEANING.test(part) ? withoutControls(part) : part;
    if (start === 0 || state.trim() !== "") return state;
    end = start - 1;
  }
  return "";
}

function withoutControls(state: string): string {
  let text = state.toWellFormed();
  if (text.includes("\u001b") || text.includes("\u009b")) {
    text = (text.includes("\u009b") ? undefined : withoutColors(text)) ?? text.replace(ESCAPES, "");
    if (!NEEDS_CLEANING.test(text)) return text;
  }
  if (text.includes("\b")) text = overwritten(text);
  return text.replaceAll("\0", "\u2400").replace(CONTROLS, "");
}

/** What stands there after each backspace moved the cursor, and what follows was written over it. */
function overwritten(text: string): string {
  const cells: string[] = [];
  let at = 0;
  for (const sign of text) {
    if (sign === "\b") at = Math.max(0, at - 1);
    else {
      // Written again from its start, as after a carriage return: nothing of a longer state is left.
      if (at === 0) cells.length = 0;
      cells[at++] = sign;
    }
  }
  // A spinner ends with the step back over its sign.
  if (text.endsWith("\b") && !text.endsWith("\b\b")) cells.length = Math.min(cells.length, at);
  return cells.join("").trimEnd();
}

/** Takes out the most common escape codes, twice as fast as a pattern; undefined when there are others. */
function withoutColors(text: string): string | undefined {
  let kept = "";
  let from = 0;
  for (let at = text.indexOf("\u001b"); at !== -1; at = text.indexOf("\u001b", from)) {
    if (text.charCodeAt(at + 1) !== BRACKET) return undefined;
    let index = at + 2;
    let unit = text.charCodeAt(index);
    while ((unit >= ZERO && unit <= NINE) || unit === SEMICOLON) unit = text.charCodeAt(++index);
    if (index - at > LONGEST_COLOR || !(unit >= FIRST_FINAL && unit <= LAST_FINAL)) return undefined;
    kept += text.slice(from, at);
    from = index + 1;
  }
  return kept + text.slice(from);
}

/** Cleans every line of a text. */
export function cleanText(text: string): string {
  return NEEDS_CLEANING.test(text) ? cleanLines(text).join("\n") : text;
}

/** The lines of a text, cleaned. */
export function cleanLines(text: string): string[] {
  const lines = text.split("\n");
  return NEEDS_CLEANING.test(text) ? lines.map(cleanLine) : lines;
}
