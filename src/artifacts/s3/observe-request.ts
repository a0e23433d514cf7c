import { errorType, inSpan, measure, secondsSince } from "../../telemetry/telemetry.ts";
import type { S3Request } from "./s3-requests.ts";

/** Sends a request inside a span, its repetitions included; `place` is known once it was sent. */
export async function observeRequest<T>(
  { method, key }: Pick<S3Request, "method" | "key">,
  place: () => { readonly bucket: string; readonly endpoint: string },
  send: (onTry: (tries: number) => void) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const asked = { "http.request.method": method };
  const attributes = { ...asked, "aws.s3.bucket": place().bucket, "aws.s3.key": key };
  return inSpan(`S3 ${method}`, { kind: "client", attributes }, async (span) => {
    let resent = 0;
    let failed: string | undefined;
    try {
      return await send((tries) => {
        resent = tries - 1;
      });
    } catch (error) {
      failed = errorType(error);
      throw error;
    } finally {
      const { endpoint } = place();
      const address = URL.canParse(endpoint) ? new URL(endpoint).hostname : undefined;
      span?.set({ "server.address": address, "http.request.resend_count": resent });
      measure("spillway.store.request.duration", secondsSince(startedAt), { ...asked, "error.type": failed });
    }
  });
}
