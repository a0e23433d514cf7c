import type { JsonNode } from "./json-node.ts";

/** What is shown of a scalar: its beginning, and its end where there is room for both. */
export interface ShownHead {
  readonly beginning: string;
  readonly ending: string;
  /** UTF-16 units that are not shown; undefined when all is. */
  readonly left: number | undefined;
}

const LEAST_CHARS = 40;
/** From here on the end is shown too, with a fifth of the room. */
const BOTH_CHARS = 160;
const MARKER_CHARS = 24;
const VALUE_CHARS = 12;

/** What of a scalar stands in about so many characters. */
export function showHead({ head }: JsonNode, chars: number): ShownHead {
  const { text, cutBytes } = head;
  const most = Math.max(LEAST_CHARS, chars);
  if (cutBytes === 0 && text.length <= most) return { beginning: text, ending: "", left: undefined };
  // The beginning says most; the end is worth a fifth where there is room for both.
  const atEnd = most < BOTH_CHARS ? 0 : Math.floor(most / 5);
  const beginning = wellCut(text, Math.max(most - atEnd - MARKER_CHARS, text.indexOf(":") + VALUE_CHARS));
  const known = cutBytes === 0 ? text : (head.tail?.text ?? "");
  const ending = wellBegun(known, Math.min(atEnd, head.chars - beginning.length - 1));
  return { beginning, ending, left: head.chars - beginning.length - ending.length };
}

function wellCut(text: string, chars: number): string {
  const cut = text.slice(0, chars);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}

/** The last `chars` characters. */
function wellBegun(text: string, chars: number): string {
  if (chars < 8) return "";
  const ending = text.slice(-chars);
  const first = ending.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? ending.slice(1) : ending;
}
