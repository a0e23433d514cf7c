import type { TextEncoding } from "../read/encoding.ts";

/** Bytes of a text in an encoding; undefined when the encoding lacks one of its characters. */
export function encodeText(text: string, encoding: TextEncoding["name"]): Uint8Array | undefined {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text, "utf8");
    case "utf-16le":
      return Buffer.from(text, "utf16le");
    case "utf-16be":
      return Buffer.from(text, "utf16le").swap16();
    default:
      return encodeByTable(text, tableOf(encoding));
  }
}

const tables = new Map<string, ReadonlyMap<string, number>>();

/** Code of each character, read off the decoder. */
function tableOf(encoding: "gbk" | "windows-1252"): ReadonlyMap<string, number> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = new Map<string, number>();
  const decoder = new TextDecoder(encoding);
  const add = (code: number, bytes: readonly number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes));
    if (character.length === 1 && character !== "\ufffd" && !table.has(character)) table.set(character, code);
  };
  for (let byte = 0; byte < 256; byte++) add(byte, [byte]);
  if (encoding === "gbk") {
    for (let lead = 0x81; lead < 0xff; lead++) {
      for (let trail = 0x40; trail < 0xff; trail++) add((lead << 8) | trail, [lead, trail]);
    }
  }
  tables.set(encoding, table);
  return table;
}

function encodeByTable(text: string, table: ReadonlyMap<string, number>): Uint8Array | undefined {
  const bytes = Buffer.alloc(text.length * 2);
  let length = 0;
  for (const character of text) {
    const code = table.get(character);
    if (code === undefined) return undefined;
    if (code > 255) bytes[length++] = code >> 8;
    bytes[length++] = code & 255;
  }
  return bytes.subarray(0, length);
}
