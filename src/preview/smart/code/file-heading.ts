const HEADING =
  /^==> .+ <==$|^(?:\/\/|#|---)?\s*(?:=====*|-----*)\s+\S+\.\w{1,6}\s+(?:=====*|-----*)$|^<(?:file|document)\b[^>]*(?:path|name)=/;
const BLANK = 32;
const HASH = 35;
const DASH = 45;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const LAST_ASCII = 0x7f;

/** True for a line, a range of a text, that names the file which follows. */
export function isFileHeading(text: string, start = 0, end = text.length): boolean {
  return mayHead(text, start) && HEADING.test(text.slice(start, end));
}

function mayHead(text: string, start: number): boolean {
  const first = text.charCodeAt(start);
  if (first === EQUALS || first === LESS || first === DASH) return true;
  if (first !== HASH && (first !== SLASH || text.charCodeAt(start + 1) !== SLASH)) return false;
  let at = start + (first === HASH ? 1 : 2);
  while (text.charCodeAt(at) === BLANK) at++;
  // Behind what begins a comment only a rule of signs may follow.
  const sign = text.charCodeAt(at);
  return sign === EQUALS || sign === DASH || sign < BLANK || sign > LAST_ASCII;
}
