import { invalidArgument } from "../../errors.ts";
import { type Digest, DigestBuilder, digestSource } from "../digest.ts";
import { encodeLineIndex } from "../line-index.ts";
import { createManifest } from "../manifest.ts";
import type { ArtifactLocation, ArtifactWriter, Completion, CreateArtifact, Manifest } from "../types.ts";
import { callKey, type KeptPieces, keyOf, openPieces, PIECE_BYTES, pieceKey, removePieces } from "./pieces.ts";

/** Writes an artifact in pieces; at most one of them is in memory. */
export class DefinedWriter implements ArtifactWriter {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly #keep: KeptPieces;
  readonly #request: CreateArtifact;
  readonly #onEnd: (bytes: number) => void;
  readonly #digest = new DigestBuilder();
  readonly #piece = new Uint8Array(PIECE_BYTES);
  #filled = 0;
  #pieces = 0;
  #manifest: Manifest | undefined;
  #discarded = false;
  /** Why a piece was not taken; nothing that comes after it is. */
  #failure: { readonly error: unknown } | undefined;
  #digested: Digest | undefined;

  constructor(keep: KeptPieces, location: ArtifactLocation, request: CreateArtifact, onEnd: (bytes: number) => void) {
    this.id = location.id;
    this.name = location.name;
    this.path = location.path;
    this.#keep = keep;
    this.#request = request;
    this.#onEnd = onEnd;
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#manifest !== undefined || this.#discarded)
      return Promise.reject(invalidArgument("the artifact is finished; nothing can be added"));
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    this.#digest.add(chunk);
    if (this.#filled + chunk.length >= PIECE_BYTES) return this.#writeOver(chunk);
    this.#piece.set(chunk, this.#filled);
    this.#filled += chunk.length;
    return undefined;
  }

  async finish(completion: Completion): Promise<Manifest> {
    if (this.#discarded) throw invalidArgument("the artifact was discarded");
    try {
      this.#manifest ??= await this.#end(completion);
      return this.#manifest;
    } finally {
      this.#onEnd(this.#manifest?.bytes ?? 0);
    }
  }

  async discard(): Promise<void> {
    this.#discarded = true;
    if (this.#request.callId !== undefined) await this.#keep.remove(callKey(this.#request.callId, this.id));
    await removePieces(this.#keep, this.id);
    this.#onEnd(0);
  }

  async #end(completion: Completion): Promise<Manifest> {
    if (this.#filled > 0) await this.#flush();
    if (this.#failure !== undefined && completion.complete) throw this.#failure.error;
    const { id, name } = this;
    // After a failure, of what the storage has: it did not take all that was counted on the way.
    this.#digested ??=
      this.#failure === undefined
        ? this.#digest.finish()
        : await digestSource(await openPieces(this.#keep, id, this.#pieces * PIECE_BYTES));
    const digest = this.#digested;
    const manifest = createManifest({ id, name, request: this.#request, digest, completion });
    await this.#keep.put(keyOf(id, "index"), encodeLineIndex(digest.index));
    await this.#keep.put(keyOf(id, "manifest"), Buffer.from(JSON.stringify(manifest)));
    await this.#keep.remove(keyOf(id, "open"));
    return manifest;
  }

  async #writeOver(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + PIECE_BYTES - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === PIECE_BYTES) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const piece = this.#piece.slice(0, this.#filled);
    this.#filled = 0;
    try {
      await this.#keep.put(pieceKey(this.id, this.#pieces), piece);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
    this.#pieces++;
  }
}
