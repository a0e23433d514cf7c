import { kinds } from "../limits/options.ts";
import { artifactIdTime, isArtifactId } from "./artifact-id.ts";

const TOOL_LENGTH = 48;
const CALL_ID_LENGTH = 64;
const EXTENSION_LENGTH = 10;
const NAME_PATTERN = /^tool_\d{8}_\d{6}_([A-Za-z0-9_-]+)_([0-9a-z]{22})\.([a-z0-9]{1,10})$/;

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
  kinds.having("an object with tool and id", "tool", "id")(parts, "The parts for createArtifactName()");
  const callId = parts.callId === undefined ? "" : `_${sanitizeCallId(parts.callId)}`;
  const label = `${sanitizeNamePart(parts.tool, TOOL_LENGTH) || "tool"}${callId === "_" ? "" : callId}`;
  return `${nameStamp(artifactIdTime(parts.id))}${label}_${parts.id}.${sanitizeExtension(parts.extension)}`;
}

/** How the names of artifacts of this second begin; milliseconds since 1970. */
export function nameStamp(time: number): string {
  const stamp = new Date(Math.max(0, time)).toISOString().replaceAll(/[-:]/g, "");
  return `tool_${stamp.slice(0, 8)}_${stamp.slice(9, 15)}_`;
}

/** The parts of a file name that is ours by its form; undefined for any other. */
export function parseArtifactName(name: string): ParsedArtifactName | undefined {
  kinds.text(name, "The name for parseArtifactName()");
  const match = NAME_PATTERN.exec(name);
  if (match === null) return undefined;
  const [, label, id, extension] = match as unknown as [string, string, string, string];
  const time = artifactIdTime(id);
  return isArtifactId(id) && name.startsWith(nameStamp(time)) ? { id, label, extension, time } : undefined;
}

/** The id in a file name of ours; empty for any other. */
export function idOf(name: string): string {
  return parseArtifactName(name)?.id ?? "";
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
