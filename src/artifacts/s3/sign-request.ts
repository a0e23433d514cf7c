import { createHash, createHmac } from "node:crypto";

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The text of the first element with a name; undefined if there is none. S3 repeats no name on the way to it. */
export function xmlText(xml: string, name: string): string | undefined {
  const inner = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return inner?.replaceAll(/&(#x?[0-9a-f]+|\w+);/gi, (whole, entity: string) => {
    if (!entity.startsWith("#")) return ENTITIES[entity] ?? whole;
    return String.fromCodePoint(Number(entity.startsWith("#x") ? `0${entity.slice(1)}` : entity.slice(1)));
  });
}

/** The contents of each element with a name. */
export function xmlParts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map((match) => match[1] as string);
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The credentials of a request. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** Expiry; afterwards the credentials are requested again. */
  readonly expiration?: Date | undefined;
}

export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  /** Lower case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly region: string;
  /** Milliseconds since 1970, as the server's clock has it. */
  readonly now: number;
}

/** The headers of a request, signed by AWS Signature Version 4; the signature covers the body. */
export function signRequest(request: UnsignedRequest, credentials: S3Credentials): Record<string, string> {
  const { method, url, region, body } = request;
  const stamp = new Date(request.now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = stamp.slice(0, 8);
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    "x-amz-date": stamp,
    "x-amz-content-sha256": bodyHash,
    ...(credentials.sessionToken === undefined ? {} : { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${(headers[name] as string).trim().replaceAll(/ +/g, " ")}`),
    "",
    names.join(";"),
    bodyHash,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", stamp, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const signingKey = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (key, part) => hmac(key, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(signingKey, toSign).toString("hex");
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return headers;
}

/** A text encoded for a signed path or query: everything but letters, digits and `-._~` is escaped. */
export function escapeUri(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .sort()
    .join("&");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
