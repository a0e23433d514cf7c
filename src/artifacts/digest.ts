import { cryptoModule } from "../builtin-modules.ts";
import { type ByteSource, readChunks } from "./byte-source.ts";
import { type LineIndex, LineIndexBuilder } from "./line-index.ts";
import type { Manifest, Verification } from "./types.ts";

/** Compares the stored bytes with the manifest. An empty artifact is never a complete output. */
export function compareWithManifest(manifest: Manifest, digest: Digest): Verification {
  const { bytes, lines } = digest.index;
  if (bytes !== manifest.bytes) {
    return { ok: false, problem: `it has ${bytes} bytes, the manifest says ${manifest.bytes}`, manifest };
  }
  if (digest.sha256 !== manifest.sha256) {
    return { ok: false, problem: "its content changed: the sha256 is not the manifest's", manifest };
  }
  if (lines !== manifest.lines) {
    return { ok: false, problem: `it has ${lines} lines, the manifest says ${manifest.lines}`, manifest };
  }
  return bytes === 0 ? { ok: false, problem: "it is empty", manifest } : { ok: true, manifest };
}

/** Values computed from an artifact's bytes while they stream. */
export interface Digest {
  readonly sha256: string;
  readonly index: LineIndex;
}

/** Computes a digest from bytes in order, in any chunks. */
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
