/** Decodes base64 (standard or URL-safe, with or without padding) chunk by chunk. */
export async function* decodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = "";
  for await (const chunk of chunks) {
    const text =
      held + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1").replace(/\s+/g, "");
    const whole = text.length - (text.length % 4);
    held = text.slice(whole);
    if (whole > 0) yield Buffer.from(text.slice(0, whole), "base64");
  }
  if (held.length > 0) yield Buffer.from(held, "base64");
}
