import type { Omission } from "../../preview/types.ts";
import type { PartPath } from "./find-parts.ts";
import { type KeptPart, replaceAt } from "./keep-parts.ts";

/** No JSON text holds this as it stands, since a control character in it is escaped. */
const MARK = "\u0000spillway";
const MARK_IN_JSON = JSON.stringify(MARK);

/** Where the first omission begins in the pretty-printed JSON that was saved, in which the value stands at `at`. */
export function locateOmission(saved: string, at: PartPath, parts: readonly KeptPart[]): Omission | undefined {
  const first = parts.find(({ omissions }) => omissions.length > 0);
  if (first === undefined) return undefined;
  const { part } = first;
  const omission = first.omissions[0]!;
  const index = omission.startLine - 1;
  const inner = part.kind === "list" ? [part.keys?.[index] ?? index] : [];
  const marked = markPlace(saved, [...at, ...part.path, ...inner]);
  const before = marked.slice(0, marked.indexOf(MARK_IN_JSON));
  const startLine = before.split("\n").length;
  const startByte = Buffer.byteLength(before);
  const endByte = Buffer.byteLength(saved);
  if (part.kind === "list") {
    const endLine = saved.split("\n").length;
    const lines = endLine - startLine + 1;
    return {
      lines,
      bytes: endByte - startByte,
      chars: saved.length - before.length,
      startLine,
      endLine,
      startByte,
      endByte,
    };
  }
  const text = Buffer.from(part.text);
  const bytesUpTo = (end: number): number => Buffer.byteLength(JSON.stringify(text.subarray(0, end).toString())) - 1;
  const from = startByte + bytesUpTo(omission.startByte);
  const to = startByte + bytesUpTo(omission.endByte);
  return {
    lines: 0,
    bytes: to - from,
    chars: omission.chars,
    startLine,
    endLine: startLine,
    startByte: from,
    endByte: to,
  };
}

/** What was saved up to the place, and a mark there; only the mark when what was saved is no JSON. */
function markPlace(saved: string, place: PartPath): string {
  try {
    return JSON.stringify(replaceAt(JSON.parse(saved), place, MARK), null, 2);
  } catch {
    return MARK_IN_JSON;
  }
}
