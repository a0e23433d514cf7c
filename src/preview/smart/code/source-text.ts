const BEYOND_ASCII = 0xff;
const encoder = new TextEncoder();

/** One or more lines as text, and the same as numbers, which are looked at much sooner than the characters of a text. */
export class SourceText {
  readonly text: string;
  /** Its UTF-16 units; 255 stands for any that is not ASCII. Behind the last stands a newline. */
  readonly units: Uint8Array;

  /** `bytes` are those of the text, whose last character is then a newline; they are copied. */
  constructor(text: string, bytes?: Uint8Array) {
    this.text = text;
    this.units = bytes === undefined ? newUnits(`${text}\n`) : unitsOf(text, new Uint8Array(bytes));
  }
}

function newUnits(text: string): Uint8Array {
  return unitsOf(text, encoder.encode(text));
}

function unitsOf(text: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length === text.length) return bytes;
  const units = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = Math.min(text.charCodeAt(at), BEYOND_ASCII);
  return units;
}
