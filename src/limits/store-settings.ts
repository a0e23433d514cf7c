import { isObject } from "../bytes/json/is-object.ts";
import { invalidConfig } from "../errors.ts";
import { given, parseFlag, parseText } from "./check.ts";

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

/** The keys below `artifacts` that choose where outputs are stored; only the user may set them. */
export const STORE_KEYS = [
  "store",
  "endpoint",
  "region",
  "force_path_style",
  "server_side_encryption",
  "kms_key_id",
  "tags",
] as const;

/** The values of the keys above; undefined if none is set. */
export function parseStoreSettings(artifacts: Readonly<Record<string, unknown>>): StoreSettings | undefined {
  if (STORE_KEYS.every((key) => artifacts[key] === undefined)) return undefined;
  const { store, endpoint, region, force_path_style, server_side_encryption, kms_key_id, tags } = artifacts;
  if (server_side_encryption !== undefined && !["AES256", "aws:kms"].includes(String(server_side_encryption)))
    throw invalidConfig("artifacts.server_side_encryption must be AES256 or aws:kms.");
  if (tags !== undefined && !isTags(tags)) throw invalidConfig("artifacts.tags must be a mapping of texts.");
  return {
    uri: given(store, "artifacts.store", parseStoreUri),
    endpoint: given(endpoint, "artifacts.endpoint", parseText),
    region: given(region, "artifacts.region", parseText),
    forcePathStyle: given(force_path_style, "artifacts.force_path_style", parseFlag),
    serverSideEncryption: server_side_encryption as StoreSettings["serverSideEncryption"],
    kmsKeyId: given(kms_key_id, "artifacts.kms_key_id", parseText),
    tags: tags as StoreSettings["tags"],
  };
}

/** A bucket's address. */
export function parseStoreUri(value: unknown, name: string): string {
  if (typeof value === "string" && /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/.test(value)) return value;
  throw invalidConfig(`${name} must be s3://bucket or s3://bucket/prefix, not ${JSON.stringify(value)}.`);
}

function isTags(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === "string");
}
