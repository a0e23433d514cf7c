import { TextDecoder } from "node:util";
import { detectEncoding } from "../read/encoding.ts";

const META_BYTES = 4096;

/** Text of a web answer, by its byte order mark, header, meta element, or what its bytes look like. */
export function decodeWebText(body: Buffer, contentType: string): { text: string; encoding: string } {
  const head = body.subarray(0, META_BYTES).toString("latin1");
  const declared = /charset\s*=\s*["']?([\w:.-]+)/i;
  const detected = detectEncoding(body.subarray(0, 65_536));
  const marked = detected !== undefined && detected.bomBytes > 0 ? detected.name : undefined;
  const labels = [
    marked,
    declared.exec(contentType)?.[1],
    /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(head)?.[1] ??
      /<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1],
    detected?.name,
    "utf-8",
  ];
  for (const label of labels) {
    const decoder = label === undefined ? undefined : createDecoder(label);
    if (decoder !== undefined) return { text: decoder.decode(body), encoding: decoder.encoding };
  }
  return { text: body.toString(), encoding: "utf-8" };
}

function createDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // a label nobody knows
  }
}
