import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { invalidArgument } from "../../errors.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { timerMs } from "../../platform/platform.ts";
import { createLocalStore, type LocalStore } from "../local/local-store.ts";
import { STORE_CHECKS } from "../option-checks.ts";
import { RoutedStore, sumReports } from "../routed-store.ts";
import type {
  ArtifactStore,
  ArtifactWriter,
  CleanupOptions,
  CleanupReport,
  CreateArtifact,
  Manifest,
} from "../types.ts";
import { Bucket } from "./bucket.ts";
import { BucketStore } from "./bucket-store.ts";
import { createCredentials, keepUntilExpired, placeOfClient, readProfile, type S3ClientLike } from "./credentials.ts";
import { S3Layout } from "./s3-layout.ts";
import { type S3Place, S3Requests } from "./s3-requests.ts";
import { cacheFolder, ReadCache } from "./s3-source.ts";
import { escapeUri, type S3Credentials } from "./sign-request.ts";
import { type SyncReport, syncSpool } from "./sync-spool.ts";

/** A bucket, and a spool folder for output that it did not accept; readers look in both. */
class SpooledStore extends RoutedStore {
  readonly #bucket: BucketStore;
  readonly #spool: LocalStore;

  constructor(bucket: BucketStore, spool: LocalStore) {
    super();
    this.#bucket = bucket;
    this.#spool = spool;
  }

  override create(request: CreateArtifact): Promise<ArtifactWriter> {
    return this.#bucket.create(request);
  }

  /** The newer of two copies; the spool's copy is found even if the bucket cannot be reached. */
  override async find(reference: string): ReturnType<ArtifactStore["find"]> {
    const spooled = await this.#findSpooled(reference);
    try {
      const stored = await this.#bucket.find(reference);
      return stored === undefined || (spooled !== undefined && spooled.id > stored.id) ? spooled : stored;
    } catch (error) {
      if (spooled === undefined) throw error;
      return spooled;
    }
  }

  override async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    const rows = new Map<string, Manifest & { readonly path: string }>();
    if (this.#spools) for await (const manifest of this.#spool.list()) rows.set(manifest.id, manifest);
    if (rows.size === 0) {
      yield* this.#bucket.list();
      return;
    }
    for await (const manifest of this.#bucket.list()) rows.set(manifest.id, manifest);
    yield* [...rows.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  override async remove(id: string): Promise<boolean> {
    const spooled = (await this.#findSpooled(id)) !== undefined && (await this.#spool.remove(id));
    return (await this.#bucket.remove(id)) || spooled;
  }

  override async cleanup(options?: CleanupOptions): Promise<CleanupReport> {
    const report = await this.#bucket.cleanup(options);
    if (!this.#spools) return report;
    return { ...report, ...sumReports([report, await this.#spool.cleanup(options)]) };
  }

  override async pin(owner: string, ids: readonly string[]): Promise<void> {
    if (this.#spools) await this.#spool.pin(owner, ids);
    await this.#bucket.pin(owner, ids);
  }

  override async unpin(owner: string): Promise<void> {
    if (this.#spools) await this.#spool.unpin(owner);
    await this.#bucket.unpin(owner);
  }

  get #spools(): boolean {
    return existsSync(this.#spool.dir);
  }

  async #findSpooled(reference: string): ReturnType<ArtifactStore["find"]> {
    return this.#spools ? this.#spool.find(reference) : undefined;
  }

  /** While an upload runs its bytes are in the folder too; the artifact is the bucket's all the same. */
  protected async holding(id: string): Promise<ArtifactStore> {
    const spooled = await this.#findSpooled(id);
    return spooled?.manifest === undefined ? this.#bucket : this.#spool;
  }
}

export interface S3StoreOptions {
  /** The bucket's name. */
  readonly bucket: string;
  /** Keys begin with it. @default none */
  readonly prefix?: string | undefined;
  /** Region, endpoint and credentials of this `S3Client`. */
  readonly client?: S3ClientLike | undefined;
  /** The bucket's region. @default `AWS_REGION`, the profile's, then "us-east-1" */
  readonly region?: string | undefined;
  /** Address of the service, without the bucket. @default `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, the profile's, then AWS */
  readonly endpoint?: string | undefined;
  /** The bucket in the path instead of in the host name. @default true for an endpoint of one's own */
  readonly forcePathStyle?: boolean | undefined;
  /** Who asks the bucket. @default as the AWS tools find them */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  /** `x-amz-server-side-encryption` of new objects. @default as the bucket does */
  readonly serverSideEncryption?: "AES256" | "aws:kms" | undefined;
  /** The key for "aws:kms". @default the account's */
  readonly kmsKeyId?: string | undefined;
  /** Tags of new objects. @default none */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Folder for what the bucket did not take; `false` keeps none. @default ".agents/spool" below the working directory */
  readonly spool?: string | false | undefined;
  /** Most bytes of the local cache of what was read; 0 keeps none. @default 268435456 */
  readonly cacheBytes?: number | undefined;
  /** From 5 MB on. @default 8388608 */
  readonly partBytes?: number | undefined;
  /** How long a connection may stand still. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** How long a request that fails for a while is repeated. @default 15000 */
  readonly retryForMs?: number | undefined;
  /** Cleanup ends uploads that nobody added to for this long. @default 86400000 */
  readonly abandonedAfterMs?: number | undefined;
  /** Saved outputs older than this are removed. @default 7 */
  readonly retentionDays?: number | undefined;
  /** Most bytes of saved outputs; the oldest go first. @default no quota */
  readonly quotaBytes?: number | undefined;
  /** The clock that ids and retention follow, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A store in a bucket. */
export interface S3Store extends ArtifactStore {
  /** `s3://bucket/prefix`. */
  readonly uri: string;
  /** Uploads the spooled artifacts, each one once, even if called repeatedly or from several processes. */
  sync(): Promise<SyncReport>;
  /** Creates the bucket if it does not exist and, with `days`, writes a lifecycle rule that expires artifacts. */
  init(options?: S3InitOptions): Promise<S3InitReport>;
  /** Requests sent so far. */
  readonly requests: number;
}

export interface S3InitOptions {
  /** Days after which the bucket removes artifacts by itself. @default no rule */
  readonly expireDays?: number | undefined;
}

export interface S3InitReport {
  readonly createdBucket: boolean;
  /** The rule that was written. */
  readonly rule?: string | undefined;
}

/** S3 takes no smaller part but the last. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;

const S3_CHECKS = {
  ...STORE_CHECKS,
  bucket: kinds.text,
  prefix: kinds.any,
  client: kinds.object,
  region: kinds.text,
  endpoint: kinds.text,
  forcePathStyle: kinds.flag,
  credentials: kinds.any,
  serverSideEncryption: kinds.text,
  kmsKeyId: kinds.text,
  tags: kinds.object,
  spool: kinds.any,
  cacheBytes: kinds.from0,
  partBytes: kinds.above0,
  timeoutMs: kinds.above0,
  retryForMs: kinds.from0,
  abandonedAfterMs: kinds.from0,
} satisfies Record<keyof S3StoreOptions, unknown>;

/** Keeps artifacts in a bucket of S3 or of anything that speaks its protocol. Asks nothing of it before the first use. */
export function createS3Store(options: S3StoreOptions): S3Store {
  checkOptions(options, S3_CHECKS, "createS3Store()");
  const { partBytes = 8 * 1024 * 1024, cacheBytes = 256 * 1024 * 1024 } = options;
  if (partBytes < LEAST_PART_BYTES) throw invalidArgument("partBytes must be at least 5242880.");
  const layout = new S3Layout(options.bucket, options.prefix);
  const requests = new S3Requests(options.bucket, () => resolvePlace(options), {
    timeoutMs: timerMs(options.timeoutMs ?? 10_000),
    retryForMs: options.retryForMs ?? 15_000,
  });
  const bucket = new Bucket(requests, headersOfNew(options));
  const { retentionDays, quotaBytes, now } = options;
  const spoolDir = options.spool === false ? undefined : path.resolve(options.spool ?? ".agents/spool");
  const spool =
    spoolDir === undefined ? undefined : createLocalStore({ dir: spoolDir, root: path.dirname(spoolDir), now });
  const cache = cacheBytes === 0 ? undefined : new ReadCache(cacheDir(layout, options.endpoint), cacheBytes);
  const { abandonedAfterMs = 24 * 60 * 60 * 1000 } = options;
  const settings = { retentionDays, quotaBytes, now, partBytes, abandonedAfterMs, spool, cache };
  const store = new BucketStore(bucket, layout, settings);
  const readable: ArtifactStore = spool === undefined ? store : new SpooledStore(store, spool);
  return Object.defineProperties(readable, {
    uri: { value: layout.uri },
    sync: {
      value: async () => (spool === undefined ? { uploaded: [], present: [], failed: [] } : syncSpool(store, spool)),
    },
    init: {
      value: async (init: S3InitOptions = {}) => (await import("./init-bucket.ts")).initBucket(bucket, layout, init),
    },
    requests: { get: () => requests.sent },
  }) as S3Store;
}

function cacheDir(layout: S3Layout, given: string | undefined): string {
  const endpoint = given ?? (process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL || "");
  const digest = createHash("sha256").update(`${endpoint}\n${layout.uri}`).digest("hex").slice(0, 16);
  return path.join(cacheFolder(), "artifacts", digest);
}

function headersOfNew({ serverSideEncryption, kmsKeyId, tags }: S3StoreOptions): Record<string, string> {
  const tagging = Object.entries(tags ?? {})
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .join("&");
  return {
    ...(serverSideEncryption === undefined ? {} : { "x-amz-server-side-encryption": serverSideEncryption }),
    ...(kmsKeyId === undefined ? {} : { "x-amz-server-side-encryption-aws-kms-key-id": kmsKeyId }),
    ...(tagging === "" ? {} : { "x-amz-tagging": tagging }),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A store's bucket address and credentials: from its options, otherwise from the AWS configuration. */
export async function resolvePlace(options: S3StoreOptions, env: Environment = process.env): Promise<S3Place> {
  const { bucket, client, credentials } = options;
  if (client !== undefined) {
    const place = await placeOfClient(bucket, client);
    return { ...place, endpoint: checkEndpoint(place.endpoint ?? awsEndpoint(place.region)) };
  }
  const profile = await readProfile(env);
  const region = options.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.region || "us-east-1");
  const own = options.endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || profile.endpoint_url);
  const given = typeof credentials === "function" ? credentials : credentials && (async () => credentials);
  return {
    bucket,
    region,
    endpoint: checkEndpoint(own ?? awsEndpoint(region)),
    pathStyle: options.forcePathStyle ?? (own !== undefined || bucket.includes(".")),
    credentials: given === undefined ? createCredentials(env) : keepUntilExpired(given),
  };
}

function awsEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

function checkEndpoint(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/$/, "");
  throw invalidArgument(`the S3 endpoint must be an http or https address, not ${JSON.stringify(text)}.`);
}
