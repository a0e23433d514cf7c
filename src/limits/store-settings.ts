import { invalidConfig, type SpillwayError } from "../errors.ts";

/** Where artifacts go when not into a folder, as a config file says it. */
export interface StoreSettings {
  /** `s3://bucket/prefix`. */
  readonly uri?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly forcePathStyle?: boolean | undefined;
  readonly serverSideEncryption?: "AES256" | "aws:kms" | undefined;
  readonly kmsKeyId?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** The keys below `artifacts` that say where outputs are sent: the user's alone to set. */
export const STORE_KEYS = [
  "store",
  "endpoint",
  "region",
  "force_path_style",
  "server_side_encryption",
  "kms_key_id",
  "tags",
] as const;

/** What the keys above say; undefined when none stands there. */
export function parseStoreSettings(artifacts: Readonly<Record<string, unknown>>): StoreSettings | undefined {
  if (STORE_KEYS.every((key) => artifacts[key] === undefined)) return undefined;
  const { store, endpoint, region, force_path_style, server_side_encryption, kms_key_id, tags } = artifacts;
  if (store !== undefined) checkStoreUri(store, "artifacts.store");
  if (force_path_style !== undefined && typeof force_path_style !== "boolean")
    throw wrong("artifacts.force_path_style must be true or false.");
  if (server_side_encryption !== undefined && !["AES256", "aws:kms"].includes(String(server_side_encryption)))
    throw wrong("artifacts.server_side_encryption must be AES256 or aws:kms.");
  if (tags !== undefined && !isTags(tags)) throw wrong("artifacts.tags must be a mapping of texts.");
  return {
    uri: store as string | undefined,
    endpoint: text(endpoint, "endpoint"),
    region: text(region, "region"),
    forcePathStyle: force_path_style,
    serverSideEncryption: server_side_encryption as StoreSettings["serverSideEncryption"],
    kmsKeyId: text(kms_key_id, "kms_key_id"),
    tags: tags as StoreSettings["tags"],
  };
}

/** Throws unless the value is a bucket's address. */
export function checkStoreUri(value: unknown, name: string): void {
  if (typeof value === "string" && /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/.test(value)) return;
  throw wrong(`${name} must be s3://bucket or s3://bucket/prefix, not ${JSON.stringify(value)}.`);
}

function isTags(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === "string")
  );
}

function text(value: unknown, key: string): string | undefined {
  if (value === undefined || (typeof value === "string" && value.trim() !== "")) return value;
  throw wrong(`artifacts.${key} must be a text, not ${JSON.stringify(value)}.`);
}

function wrong(message: string): SpillwayError {
  return invalidConfig(message);
}
