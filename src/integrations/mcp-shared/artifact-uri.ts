import type { ByteRange } from "../../artifacts/types.ts";
import { invalidArgument } from "../../errors.ts";

export const ARTIFACT_URI_PREFIX = "spillway://artifact/";
/** The ranged resource as `resources/templates/list` shows it; the template's form is that of RFC 6570. */
export const ARTIFACT_TEMPLATE = {
  uriTemplate: `${ARTIFACT_URI_PREFIX}{id}{?lines,bytes}`,
  name: "spillway-artifact",
  title: "Saved full output",
  description: "Part of a full tool output: lines=A-B (from 1) or bytes=A-B (from 0)",
} as const;

/** What a `spillway://` URI asks for. Lines count from 1 and are inclusive. */
export interface ArtifactUri {
  readonly id: string;
  readonly lines?: { readonly startLine: number; readonly endLine: number };
  readonly bytes?: ByteRange;
}

export function artifactUri(id: string): string {
  return ARTIFACT_URI_PREFIX + encodeURIComponent(id);
}

/** Reads a `spillway://artifact/ID?lines=A-B` or `?bytes=A-B` URI; throws a SpillwayError that says what is wrong. */
export function parseArtifactUri(uri: string): ArtifactUri {
  const [path = "", query = ""] = uri.slice(ARTIFACT_URI_PREFIX.length).split("?", 2);
  const id = decode(path);
  if (!uri.startsWith(ARTIFACT_URI_PREFIX) || id === "")
    throw invalidArgument(`${uri} is not of the form ${ARTIFACT_TEMPLATE.uriTemplate}`);
  const search = new URLSearchParams(query);
  const lines = search.get("lines");
  const bytes = search.get("bytes");
  if (bytes !== null) {
    const [startByte, endByte] = parseRange(bytes, "bytes", 0);
    return { id, bytes: { startByte, endByte } };
  }
  if (lines === null) return { id };
  const [startLine, endLine] = parseRange(lines, "lines", 1);
  return { id, lines: { startLine, endLine } };
}

/** Reads "A-B", "A-" or "A"; the end of an open range is Infinity. */
export function parseRange(text: string, name: string, least: number): [start: number, end: number] {
  const match = /^(\d+)(?:(-)(\d*))?$/.exec(text.trim());
  const start = Number(match?.[1]);
  const end = match?.[2] === undefined ? start : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
  if (!match || start < least || end < start)
    throw invalidArgument(`${name} must look like ${least}-${least + 199}, not ${JSON.stringify(text)}`);
  return [start, end];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
