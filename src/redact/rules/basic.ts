import { BASE64, runEnd, standsInAnyCase } from "../byte-class.ts";
import type { Rule } from "../types.ts";
import { inAnyCase } from "./anchor.ts";
import { decode, holdsText } from "./base64.ts";
import { skipBlanks } from "./value.ts";
import { beginsWord } from "./word-start.ts";

const COLON = 0x3a;

/** `Basic` and base64 of a name, a colon and a password, wherever they stand. */
export const basicRule: Rule = {
  anchors: [inAnyCase("basi")],
  match(view, at) {
    const { bytes } = view;
    if (!standsInAnyCase(bytes, at, "basic") || !beginsWord(view, at)) return undefined;
    const start = skipBlanks(view, at + "basic".length);
    if (start === at + "basic".length) return undefined;
    const end = runEnd(bytes, start, view.end, BASE64);
    if (!holdsText(bytes, { start, end, quoted: true })) return undefined;
    return decode(bytes.subarray(start, end)).includes(COLON) ? { kind: "authorization", start, end } : undefined;
  },
};
