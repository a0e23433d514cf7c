import { cryptoModule } from "../builtin-modules.ts";
import { type ByteSource, readChunks } from "./byte-source.ts";
import { type LineIndex, LineIndexBuilder } from "./line-index.ts";

/** What is computed of an artifact's bytes while they pass. */
export interface Digest {
  readonly sha256: string;
  readonly index: LineIndex;
}

/** Computes a digest from bytes that come in order, in any chunks. */
export class DigestBuilder {
  readonly #hash = cryptoModule().createHash("sha256");
  readonly #index = new LineIndexBuilder();

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#index.add(chunk);
  }

  finish(): Digest {
    return { sha256: this.#hash.digest("hex"), index: this.#index.finish() };
  }
}

/** Computes the digest of stored bytes by reading them once, in constant memory. */
export async function digestSource(source: ByteSource): Promise<Digest> {
  const builder = new DigestBuilder();
  for await (const chunk of readChunks(source)) builder.add(chunk);
  return builder.finish();
}
