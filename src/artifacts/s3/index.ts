export type { S3ClientLike } from "./credentials.ts";
export {
  createS3Store,
  type S3InitOptions,
  type S3InitReport,
  type S3Store,
  type S3StoreOptions,
} from "./s3-store.ts";
export type { S3Credentials } from "./sign-request.ts";
export type { SyncReport } from "./sync-spool.ts";
