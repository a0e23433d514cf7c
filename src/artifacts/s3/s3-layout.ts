import { isArtifactId, parseArtifactName } from "../artifact-name.ts";

/** The object keys of a store; manifest and index are named by id, next to the artifacts. */
export class S3Layout {
  readonly bucket: string;
  /** Empty, or ending with a slash. */
  readonly prefix: string;

  constructor(bucket: string, prefix = "") {
    this.bucket = bucket;
    const trimmed = prefix.replaceAll(/^\/+|\/+$/g, "");
    this.prefix = trimmed === "" ? "" : `${trimmed}/`;
  }

  /** `s3://bucket/prefix`, without a slash at the end. */
  get uri(): string {
    return `s3://${this.bucket}/${this.prefix}`.replace(/\/$/, "");
  }

  get meta(): string {
    return `${this.prefix}.meta/`;
  }

  get artifacts(): string {
    return `${this.prefix}tool_`;
  }

  data(name: string): string {
    return `${this.prefix}${name}`;
  }

  manifest(id: string): string {
    return `${this.meta}${id}.json`;
  }

  index(id: string): string {
    return `${this.meta}${id}.idx`;
  }

  path(name: string): string {
    return `${this.uri}/${name}`;
  }

  /** The artifact's name that a reference gives, bare or as a URI of this store; undefined when it is no such name. */
  nameIn(reference: string): string | undefined {
    const start = `${this.uri}/`;
    const name = reference.startsWith(start) ? reference.slice(start.length) : reference;
    return parseArtifactName(name) === undefined ? undefined : name;
  }

  /** The name of the artifact that a key holds; undefined for any other object. */
  nameOf(key: string): string | undefined {
    const name = key.slice(this.prefix.length);
    return parseArtifactName(name) === undefined ? undefined : name;
  }

  /** The id of the artifact that a key in `.meta` belongs to. */
  idOf(key: string): string | undefined {
    const id = key.slice(this.meta.length).split(".")[0] ?? "";
    return isArtifactId(id) ? id : undefined;
  }
}

/** Bucket and prefix of `s3://bucket/prefix`; undefined for any other text. */
export function parseS3Uri(text: string): { readonly bucket: string; readonly prefix: string } | undefined {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text);
  return match === null ? undefined : { bucket: match[1] as string, prefix: match[2] ?? "" };
}
