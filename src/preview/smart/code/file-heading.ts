const HEADING =
  /^==> .+ <==$|^(?:\/\/|#|---)?\s*(?:=====*|-----*)\s+\S+\.\w{1,6}\s+(?:=====*|-----*)$|^<(?:file|document)\b[^>]*(?:path|name)=/;
const BLANK = 32;
const HASH = 35;
const DASH = 45;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const LAST_ASCII = 0x7f;

/** True for a line that names the file which follows. */
export function isFileHeading(line: string): boolean {
  return HEADING.test(line);
}

/** False when the line that begins at `start` surely names no file. */
export function mayHead(units: Uint8Array, start: number): boolean {
  const first = units[start] as number;
  if (first === EQUALS || first === LESS || first === DASH) return true;
  if (first !== HASH && (first !== SLASH || units[start + 1] !== SLASH)) return false;
  let at = start + (first === HASH ? 1 : 2);
  while (units[at] === BLANK) at++;
  // Behind what begins a comment only a rule of signs may follow.
  const sign = units[at] as number;
  return sign === EQUALS || sign === DASH || sign < BLANK || sign > LAST_ASCII;
}
