import type { Position } from "../analyzer.ts";
import { ScriptStrings } from "./script-strings.ts";

/** Elements whose content is no markup; it is skipped up to their end tag. */
const RAW_ELEMENT = /^(?:script|style|noscript|template|iframe|textarea|svg|math|object)(?=[\s/]|$)/i;
const JSON_SCRIPT = /^script\s.*\btype\s*=\s*["']?application\/(?:[\w.-]+\+)?json\b/is;
const LT = 60;
const GT = 62;
const COLON = 58;

/** Skips what stands within scripts and the like, save for running text in JSON. */
export class RawContent {
  /** Members of JSON so far: data has few tags and is still no reason to doubt that this is a page. */
  members = 0;
  /** End tag that closes the element, lower case, and how much of it has been matched. */
  #end = "";
  #matched = 0;
  readonly #strings: ScriptStrings;
  #json = false;

  constructor(found: (text: string, start: Position, end: Position) => void) {
    this.#strings = new ScriptStrings(found);
  }

  /** True when the content of the element with this start tag is to be skipped. */
  begin(source: string): boolean {
    const raw = RAW_ELEMENT.exec(source);
    if (raw === null) return false;
    this.#end = `</${raw[0].toLowerCase()}`;
    this.#json = JSON_SCRIPT.test(source);
    this.#strings.reset();
    this.#matched = 0;
    return true;
  }

  /** Where in the chunk the element ends, not before `from`; -1 when it goes on. */
  skip(chunk: Uint8Array, from: number, positionAt: (at: number) => Position): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.#matched === 0 && !this.#json) {
        at = chunk.indexOf(LT, at);
        if (at < 0) return -1;
      }
      const byte = chunk[at] as number;
      if (this.#json) {
        if (byte === COLON) this.members++;
        this.#strings.take(byte, at, positionAt);
      }
      if (this.#matched === this.#end.length) {
        if (byte === GT) return at + 1;
        continue;
      }
      const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte;
      if (lower === this.#end.charCodeAt(this.#matched)) this.#matched++;
      else this.#matched = byte === LT ? 1 : 0;
    }
    return -1;
  }
}
