import type { Digest } from "./digest.ts";
import type { Manifest, Verification } from "./types.ts";

/** Compares what the stored bytes are with what the manifest says. Nothing is never a full output. */
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
