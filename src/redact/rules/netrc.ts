import { stands } from "../byte-class.ts";
import type { Rule, View } from "../types.ts";
import { exactly } from "./anchor.ts";
import { looksLikePassword } from "./secret-value.ts";
import { isStandIn } from "./stand-in.ts";
import { beginsWord } from "./word-start.ts";

const MOST_BYTES = 1024;
const SPACE = 0x20;

interface Password {
  readonly start: number;
  readonly end: number;
  /** Whether a login stands before it. */
  readonly ofLogin: boolean;
}

/** The password of `machine HOST login USER password …` in a `.netrc`, in one line or in several. */
export const netrcRule: Rule = {
  anchors: [exactly("mach"), exactly("lt l", 5)],
  spansLines: {
    most: MOST_BYTES,
    mayGrow: (view, at) => passwordOf(view, at, false) === "open",
  },
  match(view, at) {
    const password = passwordOf(view, at, true);
    if (password === undefined || password === "open") return undefined;
    const { start, end, ofLogin } = password;
    const isSecret = ofLogin
      ? !isStandIn(view.bytes, start, end)
      : looksLikePassword(view.bytes, { start, end, quoted: true });
    return isSecret ? { kind: "password", start, end } : undefined;
  },
};

function passwordOf(view: View, at: number, whole: boolean): Password | "open" | undefined {
  const { bytes, end } = view;
  if (!beginsWord(view, at)) return undefined;
  const cut = whole ? undefined : "open";
  let ofLogin = false;
  for (let from = at; from < end; ) {
    const to = wordEnd(view, from);
    if (to === end && !whole) return "open";
    const isDefault = from === at && stands(bytes, from, "default") && to - from === 7;
    const next = skipSpace(view, to);
    if (!isDefault && !isName(bytes, from, to, from === at)) return undefined;
    const valueEnd = isDefault ? to : wordEnd(view, next);
    if (valueEnd === end && !whole) return "open";
    if (stands(bytes, from, "password")) return next < valueEnd ? { start: next, end: valueEnd, ofLogin } : undefined;
    ofLogin ||= stands(bytes, from, "login");
    from = skipSpace(view, valueEnd);
  }
  return cut;
}

function isName(bytes: Uint8Array, from: number, to: number, first: boolean): boolean {
  const names = first ? ["machine"] : ["login", "account", "password"];
  return names.some((name) => to - from === name.length && stands(bytes, from, name));
}

function wordEnd({ bytes, end }: View, at: number): number {
  let to = at;
  while (to < end && bytes[to]! > SPACE) to++;
  return to;
}

function skipSpace({ bytes, end }: View, at: number): number {
  let to = at;
  while (to < end && bytes[to]! <= SPACE && bytes[to] !== 0x1b) to++;
  return to;
}
