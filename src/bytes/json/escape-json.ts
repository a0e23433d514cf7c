/** Turns the UTF-8 bytes of a text into the inside of a JSON string, chunk by chunk. */
export async function* escapeJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const chunk of chunks) yield escapeText(decoder.decode(chunk, { stream: true }));
  yield escapeText(decoder.decode());
}

function escapeText(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1));
}
