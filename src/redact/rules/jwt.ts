import { isOf, longRunEnd, runEnd, stands, WORD } from "../byte-class.ts";
import type { Rule } from "../types.ts";
import { DIGITS, LETTERS } from "./anchor.ts";
import { beginsWord } from "./word-start.ts";

const FULL_STOP = 0x2e;
/** The shortest header, `{"alg":"none"}`, and the shortest claims. */
const LEAST_HEADER = 16;
const LEAST_CLAIMS = 8;

/** A JSON Web Token, signed or encrypted: base64url of JSON objects, joined by full stops. */
export const jwtRule: Rule = {
  begins: "eyJ",
  anchors: [{ gram: ["e", "y", "J", `${LETTERS}${DIGITS}`], offset: 0 }],
  match(view, at) {
    const { bytes, end } = view;
    if (!beginsWord(view, at, WORD)) return undefined;
    const header = longRunEnd(bytes, at, end, WORD, (to) => !isOf(bytes[to], WORD));
    if (header - at < LEAST_HEADER || bytes[header] !== FULL_STOP) return undefined;
    const claims = runEnd(bytes, header + 1, end, WORD);
    const isSigned = stands(bytes, header + 1, "ey") && claims - header > LEAST_CLAIMS;
    let to = claims;
    let parts = 2;
    while (bytes[to] === FULL_STOP && to < end && parts < 5) {
      to = runEnd(bytes, to + 1, end, WORD);
      parts++;
    }
    if (!isSigned && parts < 5) return undefined;
    return { kind: "jwt", start: at, end: bytes[to - 1] === FULL_STOP && parts < 3 ? to - 1 : to };
  },
};
