import { invalidArgument } from "../../errors.ts";
import { createCredentials, keepUntilExpired, readProfile } from "./credentials.ts";
import { placeOfClient } from "./place-of-client.ts";
import type { S3Place } from "./s3-requests.ts";
import type { S3StoreOptions } from "./s3-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a store's bucket is and who asks: by its options, else as the AWS tools are told. */
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
