import { decode, floorCodePoint } from "../bytes/utf8.ts";
import { invalidArgument } from "../errors.ts";
import { formatPlural } from "../preview/omission.ts";
import type { ByteSource } from "./byte-source.ts";
import type { ByteRange } from "./types.ts";

const NEWLINE = 0x0a;
/** The least room for one part: some characters and the end of one. */
const MIN_PART_BYTES = 32;

/** One of the parts in which all of an output is read, each byte in exactly one of them. */
export interface PartAnswer extends ByteRange {
  readonly text: string;
  readonly part: number;
  readonly parts: number;
  readonly totalBytes: number;
}

/**
 * A part, from 1, of at most `maxBytes`. Parts end with a line where one ends near their limit, else between two
 * characters. Where they end depends on the size of the source and on `maxBytes` alone, so each is found without the others.
 */
export async function readPart(
  source: Pick<ByteSource, "size" | "read">,
  { part, maxBytes }: { readonly part: number; readonly maxBytes: number },
): Promise<PartAnswer> {
  const room = Math.max(MIN_PART_BYTES, Math.min(maxBytes, 2 * source.size));
  const back = Math.floor(room / 8);
  const step = room - back;
  const parts = Math.max(1, Math.ceil(source.size / step));
  if (part > parts) throw invalidArgument(`There is no part ${part}: it has ${formatPlural(parts, "part")}.`);
  /** At or at most `back` bytes before a multiple of the step. */
  const endOf = async (each: number): Promise<number> => {
    if (each === 0 || each >= parts) return each === 0 ? 0 : source.size;
    const from = each * step - back;
    const bytes = await source.read(from, from + back + MIN_PART_BYTES);
    const newline = bytes.subarray(0, back).lastIndexOf(NEWLINE);
    return from + (newline === -1 ? floorCodePoint(bytes, back) : newline + 1);
  };
  const [startByte, endByte] = await Promise.all([endOf(part - 1), endOf(part)]);
  const text = decode(await source.read(startByte, endByte));
  return { text, part, parts, startByte, endByte, totalBytes: source.size };
}
