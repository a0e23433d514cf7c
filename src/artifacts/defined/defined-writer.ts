import { cryptoModule } from "../../builtin-modules.ts";
import { invalidArgument } from "../../errors.ts";
import type { ByteSource } from "../byte-source.ts";
import { type Digest, DigestBuilder, digestSource } from "../digest.ts";
import { encodeLineIndex } from "../line-index.ts";
import { createManifest } from "../manifest.ts";
import type { ArtifactLocation, ArtifactWriter, Completion, CreateArtifact, Manifest } from "../types.ts";

type Bytes = Uint8Array | undefined | null;

/** A host's own storage, synchronous or with promises. Keys contain letters, digits, `-`, `.`, `_`, `~`, `%` and `/`. */
export interface StoreFunctions {
  /** Keeps at most 1 MB under a key. */
  put(key: string, bytes: Uint8Array): unknown;
  /** The value of a key; undefined or null if there is none. */
  get(key: string): Promise<Bytes> | Bytes;
  /** The keys that begin with a text, in any order. */
  list(prefix: string): Promise<Iterable<string>> | Iterable<string> | AsyncIterable<string>;
  /** Removes a key; does nothing if it does not exist. */
  remove(key: string): unknown;
}

/** The same, by promises only. */
export interface KeptPieces {
  put(key: string, bytes: Uint8Array): Promise<unknown>;
  get(key: string): Promise<Bytes>;
  list(prefix: string): Promise<Iterable<string> | AsyncIterable<string>>;
  remove(key: string): Promise<unknown>;
}

export function keepBy(functions: StoreFunctions): KeptPieces {
  return {
    put: async (key, bytes) => functions.put(key, bytes),
    get: async (key) => functions.get(key),
    list: async (prefix) => functions.list(prefix),
    remove: async (key) => functions.remove(key),
  };
}

/** Most bytes under one key, so that a row of a database can hold them. */
export const PIECE_BYTES = 1024 * 1024;
export const ARTIFACTS = "artifacts/";
export const PINS = "pins/";

export function keyOf(id: string, part: "manifest" | "index" | "open"): string {
  return `${ARTIFACTS}${id}/${part}`;
}

export function pieceKey(id: string, at: number): string {
  return `${ARTIFACTS}${id}/piece-${String(at).padStart(6, "0")}`;
}

/** Call ids may be long and hold anything. */
export function callKey(callId: string, id: string): string {
  return `calls/${cryptoModule().createHash("sha256").update(callId).digest("hex").slice(0, 32)}/${id}`;
}

export function pinKey(owner: string): string {
  return `${PINS}${encodeURIComponent(owner)}`;
}

/** The pieces of an artifact as bytes that can be read from any position; the last one read is kept. */
export async function openPieces(keep: KeptPieces, id: string, size?: number): Promise<ByteSource> {
  let held: { readonly at: number; readonly bytes: Uint8Array } | undefined;
  const piece = async (at: number): Promise<Uint8Array> => {
    if (held?.at !== at) held = { at, bytes: (await keep.get(pieceKey(id, at))) ?? new Uint8Array() };
    return held.bytes;
  };
  const source = {
    size: size ?? (await sizeOf(keep, id)),
    async read(startByte: number, endByte: number): Promise<Uint8Array> {
      const parts: Uint8Array[] = [];
      for (let at = startByte; at < Math.min(endByte, source.size); ) {
        const bytes = await piece(Math.floor(at / PIECE_BYTES));
        const part = bytes.subarray(at % PIECE_BYTES, (at % PIECE_BYTES) + endByte - at);
        if (part.length === 0) break;
        parts.push(part);
        at += part.length;
      }
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    },
    close: async () => {},
  };
  return source;
}

/** Bytes of the unfinished artifact: all pieces but the last are full. */
async function sizeOf(keep: KeptPieces, id: string): Promise<number> {
  let pieces = 0;
  for await (const key of await keep.list(`${ARTIFACTS}${id}/piece-`)) if (key !== "") pieces++;
  if (pieces === 0) return 0;
  const last = await keep.get(pieceKey(id, pieces - 1));
  return (pieces - 1) * PIECE_BYTES + (last?.length ?? 0);
}

/** Removes everything of an artifact, its lookup entry last. */
export async function removePieces(keep: KeptPieces, id: string): Promise<void> {
  const keys: string[] = [];
  for await (const key of await keep.list(`${ARTIFACTS}${id}/`)) keys.push(key);
  const isPiece = (key: string) => key.includes("/piece-");
  for (const key of [...keys.filter(isPiece), ...keys.filter((key) => !isPiece(key))]) await keep.remove(key);
}

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
  /** Why a piece was rejected; no later piece is accepted. */
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
    // After a failure, count from the stored pieces: the storage did not accept everything that was counted.
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
