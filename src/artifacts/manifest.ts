import type { Completion, CreateArtifact, Manifest } from "./types.ts";

export interface ManifestFacts {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly request: CreateArtifact;
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
  readonly completion: Completion;
}

/** Puts a manifest together. */
export function createManifest(facts: ManifestFacts): Manifest {
  const { request, completion } = facts;
  return {
    schema: 1,
    id: facts.id,
    name: facts.name,
    tool: request.tool,
    ...(request.callId === undefined ? {} : { callId: request.callId }),
    createdAt: facts.createdAt,
    bytes: facts.bytes,
    lines: facts.lines,
    sha256: facts.sha256,
    complete: completion.complete,
    ...(completion.complete ? {} : { reason: completion.reason }),
    ...(request.relatedTo === undefined ? {} : { relatedTo: request.relatedTo }),
    ...(completion.redacted === undefined ? {} : { redacted: completion.redacted }),
    ...(completion.shown === undefined ? {} : { shown: completion.shown }),
  };
}

/** Reads a manifest's JSON; undefined when it is cut off or not a manifest of this version. */
export function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Partial<Record<keyof Manifest, unknown>>;
  const ok =
    fields.schema === 1 &&
    ["id", "name", "tool", "createdAt", "sha256"].every((key) => typeof fields[key as keyof Manifest] === "string") &&
    ["bytes", "lines"].every((key) => Number.isSafeInteger(fields[key as keyof Manifest])) &&
    typeof fields.complete === "boolean";
  return ok ? (value as Manifest) : undefined;
}
