import { artifactIdTime, isArtifactId } from "./artifact-id.ts";

const TOOL_LENGTH = 48;
const CALL_ID_LENGTH = 64;
const EXTENSION_LENGTH = 10;
const NAME_PATTERN = /^tool_(\d{8})_(\d{6})_([A-Za-z0-9_-]+)_([0-9a-z]{22})\.([a-z0-9]{1,10})$/;

export interface ArtifactNameParts {
  readonly id: string;
  readonly tool: string;
  readonly callId?: string | undefined;
  readonly extension?: string | undefined;
}

/** What a file name says by itself; `label` is tool and call id as far as a file name can hold them. */
export interface ParsedArtifactName {
  readonly id: string;
  readonly label: string;
  readonly extension: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The file name of an artifact, legal on Linux, macOS and Windows whatever its parts contain. */
export function createArtifactName(parts: ArtifactNameParts): string {
  const [date, time] = new Date(artifactIdTime(parts.id)).toISOString().slice(0, 19).split("T") as [string, string];
  const callId = parts.callId === undefined ? "" : `_${sanitizeCallId(parts.callId)}`;
  const label = `${sanitizeNamePart(parts.tool, TOOL_LENGTH) || "tool"}${callId === "_" ? "" : callId}`;
  return `tool_${date.replaceAll("-", "")}_${time.replaceAll(":", "")}_${label}_${parts.id}.${sanitizeExtension(parts.extension)}`;
}

/** The parts of a file name that is ours by its form; undefined for any other. */
export function parseArtifactName(name: string): ParsedArtifactName | undefined {
  const match = NAME_PATTERN.exec(name);
  if (match === null) return undefined;
  const [, date, time, label, id, extension] = match as unknown as [string, string, string, string, string, string];
  if (!isArtifactId(id)) return undefined;
  const millis = artifactIdTime(id);
  const stamp = new Date(millis).toISOString().replaceAll(/[-:]/g, "");
  if (stamp.slice(0, 8) !== date || stamp.slice(9, 15) !== time) return undefined;
  return { id, label, extension, time: millis };
}

/** A call id as it stands in a file name. */
export function sanitizeCallId(callId: string): string {
  return sanitizeNamePart(callId, CALL_ID_LENGTH);
}

function sanitizeNamePart(text: string, length: number): string {
  return text
    .slice(0, length * 4)
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, length)
    .replaceAll(/[-_]+$/g, "");
}

function sanitizeExtension(extension = "txt"): string {
  return (
    extension
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "")
      .slice(0, EXTENSION_LENGTH) || "txt"
  );
}
