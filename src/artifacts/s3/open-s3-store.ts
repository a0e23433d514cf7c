import path from "node:path";
import { invalidArgument } from "../../errors.ts";
import type { StoreSettings } from "../../limits/store-settings.ts";
import { parseS3Uri } from "./s3-layout.ts";
import { createS3Store, type S3Store } from "./s3-store.ts";

/** Where artifacts wait, below the root, that a bucket did not take. */
export const SPOOL_DIR = ".agents/spool";

export interface OpenS3Options extends StoreSettings {
  readonly uri: string;
  readonly root: string;
  readonly retentionDays?: number | undefined;
  readonly quotaBytes?: number | undefined;
}

/** The store at `s3://bucket/prefix`; `dir` is the same, for callers that identify stores by folder. */
export function openS3Store({ uri, root, ...settings }: OpenS3Options): S3Store & { readonly dir: string } {
  const place = parseS3Uri(uri);
  if (place === undefined)
    throw invalidArgument(`the store must be s3://bucket or s3://bucket/prefix, not ${JSON.stringify(uri)}.`);
  const store = createS3Store({ ...settings, ...place, spool: path.join(root, SPOOL_DIR) });
  return Object.defineProperty(store, "dir", { value: store.uri }) as S3Store & { readonly dir: string };
}
