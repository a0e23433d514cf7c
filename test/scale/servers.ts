import { randomUUID } from "node:crypto";
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createS3Store, type S3Store, type S3StoreOptions } from "../../src/artifacts/s3/s3-store.ts";

/** Where `run.mjs` started the servers; a part is undefined where it could not. */
export interface Servers {
  readonly s3?: {
    readonly endpoint: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    /** Process ids. */
    readonly osds: readonly number[];
  };
  readonly postgres?: string;
  readonly long: boolean;
}

export const servers = JSON.parse(process.env.SPILLWAY_SCALE_SERVERS ?? '{"long":false}') as Servers;

/** Tells a fact for the table of the long form. */
export function tell(what: string, measured: string): void {
  console.log(`${what}: ${measured}`);
  const file = process.env.SPILLWAY_SCALE_FACTS;
  if (file) appendFileSync(file, `${JSON.stringify({ what, measured })}\n`);
}

export const BUCKET = "spillway-test";

/** A store of its own in the test bucket, with a spool and without a cache unless the options say so. */
export function newStore(options: Partial<S3StoreOptions> = {}): S3Store & { readonly spoolDir: string } {
  if (servers.s3 === undefined) throw new Error("there is no S3 server");
  const { endpoint, accessKeyId, secretAccessKey } = servers.s3;
  const spoolDir = join(mkdtempSync(join(tmpdir(), "spillway-scale-")), "spool");
  const store = createS3Store({
    bucket: BUCKET,
    prefix: `p-${randomUUID()}`,
    endpoint,
    credentials: { accessKeyId, secretAccessKey },
    spool: spoolDir,
    cacheBytes: 0,
    ...options,
  });
  return Object.defineProperty(store, "spoolDir", { value: spoolDir }) as S3Store & { readonly spoolDir: string };
}
