const encoder = new TextEncoder();

/** UTF-8 bytes of texts and bytes that follow one another: a character whose halves stand in two texts stays one. */
export class ChunkEncoder {
  #half = "";

  encode(chunk: Uint8Array | string): Uint8Array {
    if (this.#half === "" && typeof chunk !== "string") return chunk;
    if (typeof chunk !== "string") return Buffer.concat([this.end(), chunk]);
    const text = this.#half + chunk;
    const last = text.charCodeAt(text.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half = isHalf ? text.slice(-1) : "";
    return Buffer.from(isHalf ? text.slice(0, -1) : text, "utf8");
  }

  /** What is left: half a character that no other half followed. */
  end(): Uint8Array {
    const half = this.#half;
    this.#half = "";
    return encoder.encode(half);
  }
}
