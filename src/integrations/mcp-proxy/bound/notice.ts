import type { BoundContext } from "./bound-context.ts";
import type { TruncatedPart } from "./truncation-facts.ts";

const EXAMPLE_LINES = 200;
const EXAMPLE_BYTES = 20_000;

/** Room that a notice may take out of a result's limits. */
export interface NoticeRoom {
  readonly bytes: number;
  readonly lines: number;
}

/** The longest notice that fits: what was cut, where the whole is, and a next call that works. */
export function renderNotice(
  parts: readonly TruncatedPart[],
  context: BoundContext,
  room: NoticeRoom,
): string | undefined {
  const lines = [...parts.map(describe), ...adviseAll(parts, context)];
  const candidates = [lines.join("\n"), lines.join(" "), describe(parts[0]!)];
  return candidates.find((text) => fits(text, room));
}

function fits(text: string, room: NoticeRoom): boolean {
  return Buffer.byteLength(text) <= room.bytes && text.split("\n").length <= room.lines;
}

function describe(part: TruncatedPart): string {
  const what = part.index === undefined ? part.part : `${part.part} block ${part.index + 1}`;
  const count = (value: number): string => value.toLocaleString("en-US");
  const shown =
    part.action === "removed"
      ? "left out"
      : part.action === "replaced"
        ? "replaced by a description"
        : `${count(part.kept_bytes)} shown`;
  const size = part.original_lines > 0 ? `${count(part.original_lines)} lines, ` : "";
  const where = part.artifact_id ? `Complete in artifact ${part.artifact_id}.` : "";
  const lost = part.lost ? `Not saved in full: ${part.lost}.` : "";
  return `[spillway: ${what} of ${size}${count(part.original_bytes)} bytes, ${shown}.${where ? ` ${where}` : ""}${lost ? ` ${lost}` : ""}]`;
}

function adviseAll(parts: readonly TruncatedPart[], context: BoundContext): string[] {
  const part = parts.find((candidate) => candidate.artifact_id && candidate.action !== "replaced");
  if (!part?.artifact_id) return [];
  const { readers } = context;
  const first = part.omissions?.[0];
  const byLine = first && first.lines > 0;
  const startByte = first?.startByte ?? 0;
  const bytes = `${startByte}-${startByte + Math.min(EXAMPLE_BYTES, (first?.bytes ?? part.original_bytes) || 1)}`;
  const limit = Math.min(EXAMPLE_LINES, first?.lines ?? EXAMPLE_LINES);
  if (!readers) {
    const range = byLine ? `lines=${first.startLine}-${first.startLine + limit - 1}` : `bytes=${bytes}`;
    return [
      `[spillway: do not ask for all of it again; read a part as the resource ${part.uri}?${range}, or the file ${part.full_output_path}.]`,
    ];
  }
  const id = part.artifact_id;
  const range = byLine ? { id, offset: first.startLine, limit } : { id, bytes };
  return [
    `[spillway: do not ask for all of it again. Find: ${readers.grep} ${JSON.stringify({ id, pattern: "error" })} or ` +
      `${readers.search} ${JSON.stringify({ id, query: "what failed" })}. Read on: ${readers.read} ${JSON.stringify(range)}]`,
  ];
}
