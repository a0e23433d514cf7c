import { fieldsOf } from "../bytes/json/is-object.ts";
import { parseJson } from "../bytes/json/parse-json.ts";
import { artifactIdTime, parseArtifactName } from "./artifact-name.ts";
import type { Digest } from "./digest.ts";
import type { LineIndex } from "./line-index.ts";
import type { Completion, CreateArtifact, Manifest } from "./types.ts";

export interface ManifestFacts {
  readonly id: string;
  readonly name: string;
  readonly request: CreateArtifact;
  readonly digest: Pick<Digest, "sha256"> & { readonly index: Size };
  readonly completion: Completion;
}

type Size = Pick<LineIndex, "bytes" | "lines">;

/** Puts a manifest together. */
export function createManifest({ id, name, request, digest, completion }: ManifestFacts): Manifest {
  return {
    schema: 1,
    id,
    name,
    tool: request.tool,
    ...(request.callId === undefined ? {} : { callId: request.callId }),
    ...(request.command === undefined ? {} : { command: request.command }),
    createdAt: new Date(artifactIdTime(id)).toISOString(),
    bytes: digest.index.bytes,
    lines: digest.index.lines,
    sha256: digest.sha256,
    complete: completion.complete,
    ...(completion.complete ? {} : { reason: completion.reason }),
    ...(request.relatedTo === undefined ? {} : { relatedTo: request.relatedTo }),
    ...(completion.redacted === undefined ? {} : { redacted: completion.redacted }),
    ...(completion.shown === undefined ? {} : { shown: completion.shown }),
  };
}

/** A manifest for an artifact that has none, from its name and, if known, its request. */
export function describeUnfinished(
  name: string,
  request: CreateArtifact | undefined,
  index: Size,
  reason: string,
): Manifest {
  const { id = "", label = "tool" } = parseArtifactName(name) ?? {};
  const completion = { complete: false, reason } as const;
  return createManifest({ id, name, request: { tool: label, ...request }, digest: { sha256: "", index }, completion });
}

/** Reads a manifest's JSON; undefined when it is cut off or not a manifest of this version. */
export function parseManifest(text: string): Manifest | undefined {
  const fields: Partial<Record<keyof Manifest, unknown>> = fieldsOf(parseJson(text));
  const ok =
    fields.schema === 1 &&
    ["id", "name", "tool", "createdAt", "sha256"].every((key) => typeof fields[key as keyof Manifest] === "string") &&
    ["bytes", "lines"].every((key) => Number.isSafeInteger(fields[key as keyof Manifest])) &&
    typeof fields.complete === "boolean";
  return ok ? (fields as unknown as Manifest) : undefined;
}
