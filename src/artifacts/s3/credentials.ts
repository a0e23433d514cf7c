import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { SpillwayError } from "../../errors.ts";
import { PLATFORM } from "../../platform/platform.ts";
import type { S3Place } from "./s3-requests.ts";
import { type S3Credentials, xmlText } from "./sign-request.ts";

type Provided<T> = T | (() => Promise<T>);

/** An address in the parts that the AWS SDK gives. */
interface EndpointParts {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path?: string | undefined;
}

/** The parts used of an `S3Client` of `@aws-sdk/client-s3`: endpoint and credentials; we send our own requests. */
export interface S3ClientLike {
  readonly config: {
    readonly region: Provided<string>;
    readonly credentials: S3Credentials | ((options?: { readonly forceRefresh?: boolean }) => Promise<S3Credentials>);
    readonly endpoint?: unknown;
    readonly forcePathStyle?: boolean | undefined;
  };
}

/** Members that some releases of version 3 lack. */
interface ClientInside {
  /** The address that the environment or the profile names. */
  readonly serviceConfiguredEndpoint?: () => Promise<string | undefined>;
  /** The client's own rules for a bucket's address. */
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

type Environment = Readonly<Record<string, string | undefined>>;
type Profile = Readonly<Record<string, string>>;

const FETCH_MS = 5_000;
const INSTANCE_MS = 1_000;
/** Credentials are renewed this long before they expire. */
const REFRESH_MS = 5 * 60_000;

/** The current profile in the AWS tools' files, `~/.aws/config` and `~/.aws/credentials`. */
export async function readProfile(env: Environment): Promise<Profile> {
  const home = path.join(env.HOME || homedir(), ".aws");
  const name = env.AWS_PROFILE || "default";
  const config = await readIni(env.AWS_CONFIG_FILE || path.join(home, "config"));
  const secrets = await readIni(env.AWS_SHARED_CREDENTIALS_FILE || path.join(home, "credentials"));
  return { ...(name === "default" ? config.default : config[`profile ${name}`]), ...secrets[name] };
}

/** Credentials as the AWS tools find them: environment, profile, web identity, container, instance. Kept until they expire. */
export function createCredentials(env: Environment): (refresh: boolean) => Promise<S3Credentials> {
  return keepUntilExpired(() => findCredentials(env));
}

/** The same for credentials that the caller gives or fetches. */
export function keepUntilExpired(
  load: (refresh: boolean) => Promise<S3Credentials>,
): (refresh: boolean) => Promise<S3Credentials> {
  let kept: Promise<S3Credentials> | undefined;
  let expires = Number.POSITIVE_INFINITY;
  return (refresh) => {
    if (kept === undefined || refresh || Date.now() > expires - REFRESH_MS) {
      expires = Number.POSITIVE_INFINITY;
      const loading = load(refresh);
      kept = loading;
      loading.then(
        ({ expiration }) => {
          expires = expiration?.getTime() ?? Number.POSITIVE_INFINITY;
        },
        () => {
          if (kept === loading) kept = undefined;
        },
      );
    }
    return kept;
  };
}

async function findCredentials(env: Environment): Promise<S3Credentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId && secretAccessKey && !env.AWS_PROFILE)
    return { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN || undefined };
  const profile = await readProfile(env);
  const found =
    fromProfile(profile) ??
    (profile.credential_process ? await fromProcess(profile.credential_process) : undefined) ??
    (await fromWebIdentity(env, profile)) ??
    (await fromContainer(env)) ??
    (await fromInstance(env));
  if (found !== undefined) return found;
  const sso = profile.sso_session !== undefined || profile.sso_start_url !== undefined;
  const hint = sso
    ? " The profile signs on by SSO; give it a credential_process: aws configure export-credentials --format process."
    : " Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.";
  throw new SpillwayError("STORE_FAILED", `no credentials for S3 were found.${hint}`);
}

function fromProfile(profile: Profile): S3Credentials | undefined {
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = profile;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: profile.aws_session_token };
}

async function fromProcess(line: string): Promise<S3Credentials> {
  const run = promisify(execFile);
  const [shell, ...flags] = PLATFORM.shell();
  const { stdout } = await run(shell, [...flags, line], { timeout: 60_000 }).catch((cause) => {
    throw new SpillwayError("STORE_FAILED", "the credential_process of the AWS profile failed", { cause });
  });
  return parseAnswer(JSON.parse(stdout) as Record<string, unknown>, "credential_process");
}

async function fromWebIdentity(env: Environment, profile: Profile): Promise<S3Credentials | undefined> {
  const file = env.AWS_WEB_IDENTITY_TOKEN_FILE || profile.web_identity_token_file;
  const role = env.AWS_ROLE_ARN || profile.role_arn;
  if (!file || !role) return undefined;
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.region || "us-east-1";
  const endpoint = env.AWS_ENDPOINT_URL_STS || `https://sts.${region}.amazonaws.com`;
  const query = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: env.AWS_ROLE_SESSION_NAME || "spillway",
    WebIdentityToken: (await readFile(file, "utf8")).trim(),
  });
  const answer = await fetch(endpoint, { method: "POST", body: query, signal: AbortSignal.timeout(FETCH_MS) });
  const xml = await answer.text();
  const [accessKeyId, secretAccessKey] = [xmlText(xml, "AccessKeyId"), xmlText(xml, "SecretAccessKey")];
  if (!accessKeyId || !secretAccessKey) {
    const reason = xmlText(xml, "Message") ?? `status ${answer.status}`;
    throw new SpillwayError("STORE_FAILED", `the role ${role} could not be assumed: ${reason}`);
  }
  const expiration = new Date(xmlText(xml, "Expiration") ?? Date.now() + 3_600_000);
  return { accessKeyId, secretAccessKey, sessionToken: xmlText(xml, "SessionToken"), expiration };
}

async function fromContainer(env: Environment): Promise<S3Credentials | undefined> {
  const relative = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = relative ? `http://169.254.170.2${relative}` : env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (!url) return undefined;
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  const token = file ? (await readFile(file, "utf8")).trim() : env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  const headers = token ? { authorization: token } : {};
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(FETCH_MS) });
  return parseAnswer((await answer.json()) as Record<string, unknown>, "the container's credentials");
}

async function fromInstance(env: Environment): Promise<S3Credentials | undefined> {
  if (env.AWS_EC2_METADATA_DISABLED?.toLowerCase() === "true") return undefined;
  const base = (env.AWS_EC2_METADATA_SERVICE_ENDPOINT || "http://169.254.169.254").replace(/\/$/, "");
  const ask = async (below: string, method: string, headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${base}/latest/${below}`, {
      method,
      headers,
      signal: AbortSignal.timeout(INSTANCE_MS),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.text();
  };
  try {
    const token = await ask("api/token", "PUT", { "x-aws-ec2-metadata-token-ttl-seconds": "300" });
    const headers = { "x-aws-ec2-metadata-token": token };
    const roles = "meta-data/iam/security-credentials/";
    const role = (await ask(roles, "GET", headers)).trim().split("\n")[0] ?? "";
    const answer = JSON.parse(await ask(`${roles}${role}`, "GET", headers)) as Record<string, unknown>;
    return parseAnswer(answer, "the instance's credentials");
  } catch {
    return undefined;
  }
}

function parseAnswer(answer: Record<string, unknown>, source: string): S3Credentials {
  const text = (name: string) => (typeof answer[name] === "string" ? (answer[name] as string) : undefined);
  const [accessKeyId, secretAccessKey] = [text("AccessKeyId"), text("SecretAccessKey")];
  if (!accessKeyId || !secretAccessKey) throw new SpillwayError("STORE_FAILED", `${source} gave no access key`);
  const expiration = text("Expiration");
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: text("SessionToken") ?? text("Token"),
    expiration: expiration === undefined ? undefined : new Date(expiration),
  };
}

async function readIni(file: string): Promise<Record<string, Record<string, string>>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const sections: Record<string, Record<string, string>> = {};
  let section: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*(.+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) {
      section = {};
      sections[header.replace(/\s+/, " ")] = section;
    }
    const [, name, value] = /^([^\s#;=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) section[name] = value;
  }
  return sections;
}
