import { invalidArgument } from "../../errors.ts";
import type { Bucket } from "./bucket.ts";
import { bucketFailed, S3Failure } from "./s3-failure.ts";
import type { S3Layout } from "./s3-layout.ts";
import type { S3InitOptions, S3InitReport } from "./s3-store.ts";
import { escapeXml, xmlParts, xmlText } from "./sign-request.ts";

const DAYS_OF_UPLOADS = 2;

/** Creates the bucket if it does not exist, and writes lifecycle rules that expire a store's artifacts. */
export async function initBucket(
  bucket: Bucket,
  layout: S3Layout,
  { expireDays }: S3InitOptions,
): Promise<S3InitReport> {
  if (expireDays !== undefined && (!Number.isInteger(expireDays) || expireDays < 1))
    throw invalidArgument(`A bucket counts whole days from 1, not ${expireDays}.`);
  try {
    const createdBucket = await ensureBucket(bucket, layout);
    if (expireDays === undefined) return { createdBucket };
    const [data, meta] = [ruleOf(layout.artifacts, expireDays), ruleOf(layout.meta, expireDays)];
    const others = xmlParts((await bucket.lifecycle()) ?? "", "Rule").filter(
      (rule) => ![data.id, meta.id].includes(xmlText(rule, "ID") ?? ""),
    );
    await bucket.putLifecycle([...others.map((rule) => `<Rule>${rule}</Rule>`), data.xml, meta.xml]);
    const rule = `objects below ${layout.uri} whose names begin with tool_ or .meta/ go after ${expireDays} days, uploads that nobody completes after ${DAYS_OF_UPLOADS}`;
    return { createdBucket, rule };
  } catch (error) {
    throw bucketFailed(`prepare ${layout.uri}`, error, bucket.requests.place);
  }
}

async function ensureBucket(bucket: Bucket, layout: S3Layout): Promise<boolean> {
  try {
    for await (const _ of bucket.list(layout.meta)) break;
    return false;
  } catch (error) {
    if (!(error instanceof S3Failure) || error.code !== "NoSuchBucket") throw error;
    await bucket.createBucket();
    return true;
  }
}

function ruleOf(prefix: string, days: number): { readonly id: string; readonly xml: string } {
  const id = `spillway ${prefix}`.slice(0, 255);
  const xml =
    `<Rule><ID>${escapeXml(id)}</ID><Filter><Prefix>${escapeXml(prefix)}</Prefix></Filter><Status>Enabled</Status>` +
    `<Expiration><Days>${days}</Days></Expiration>` +
    `<AbortIncompleteMultipartUpload><DaysAfterInitiation>${DAYS_OF_UPLOADS}</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>`;
  return { id, xml };
}
