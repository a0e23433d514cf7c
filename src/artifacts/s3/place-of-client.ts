import { keepUntilExpired } from "./credentials.ts";
import type { S3Place } from "./s3-requests.ts";
import type { S3Credentials } from "./sign-request.ts";

type Provided<T> = T | (() => Promise<T>);

/** An address in the parts that the AWS SDK gives. */
interface EndpointParts {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path?: string | undefined;
}

/** What is taken from an `S3Client` of `@aws-sdk/client-s3`: where it goes and who it is; requests are our own. */
export interface S3ClientLike {
  readonly config: {
    readonly region: Provided<string>;
    readonly credentials: S3Credentials | ((options?: { readonly forceRefresh?: boolean }) => Promise<S3Credentials>);
    readonly endpoint?: unknown;
    readonly forcePathStyle?: boolean | undefined;
  };
}

/** What else a client of version 3 has, though not every release. */
interface ClientInside {
  /** The address that the environment or the profile names. */
  readonly serviceConfiguredEndpoint?: () => Promise<string | undefined>;
  /** The rules by which the client itself finds a bucket's address. */
  readonly endpointProvider?: (parameters: Readonly<Record<string, unknown>>) => { readonly url: URL };
  readonly useFipsEndpoint?: Provided<boolean>;
  readonly useDualstackEndpoint?: Provided<boolean>;
}

/** The place that a client would ask for a bucket; without an endpoint where it leaves that to AWS. */
export async function placeOfClient(
  bucket: string,
  { config }: S3ClientLike,
): Promise<Omit<S3Place, "endpoint"> & { readonly endpoint: string | undefined }> {
  const inside = config as ClientInside;
  const region = await given(config.region);
  const { credentials } = config;
  const load = (refresh: boolean) =>
    typeof credentials === "function" ? credentials({ forceRefresh: refresh }) : Promise.resolve(credentials);
  const own = addressOf(await given(config.endpoint)) ?? (await inside.serviceConfiguredEndpoint?.());
  const base = { bucket, region, credentials: keepUntilExpired(load) };
  if (inside.endpointProvider === undefined) {
    const pathStyle = config.forcePathStyle || own !== undefined || bucket.includes(".");
    return { ...base, endpoint: own, pathStyle };
  }
  const parameters = {
    Region: region,
    UseFIPS: await given(inside.useFipsEndpoint),
    UseDualStack: await given(inside.useDualstackEndpoint),
    ForcePathStyle: config.forcePathStyle,
    Endpoint: own,
  };
  const { url } = inside.endpointProvider(parameters);
  const withBucket = inside.endpointProvider({ ...parameters, Bucket: bucket }).url;
  return { ...base, endpoint: url.href, pathStyle: withBucket.hostname === url.hostname };
}

async function given<T>(value: Provided<T>): Promise<T> {
  return typeof value === "function" ? (value as () => Promise<T>)() : value;
}

function addressOf(endpoint: unknown): string | undefined {
  if (typeof endpoint === "string") return endpoint;
  if (typeof endpoint !== "object" || endpoint === null) return undefined;
  const { protocol, hostname, port, path = "" } = endpoint as EndpointParts;
  return `${protocol}//${hostname}${port ? `:${port}` : ""}${path}`;
}
