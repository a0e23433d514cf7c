import { messageOf, SpillwayError } from "../../errors.ts";
import { xmlText } from "./sign-request.ts";

/** A request that S3 refused, or that did not reach it. */
export class S3Failure extends Error {
  readonly status: number;
  /** S3's own word, such as "SlowDown", or the system's, such as "ECONNREFUSED". */
  readonly code: string;
  /** The server's clock when it answered, in milliseconds since 1970. */
  readonly serverTime: number | undefined;

  constructor(status: number, code: string, message: string, serverTime?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.serverTime = serverTime;
  }
}

const TRANSIENT = new Set(["SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "OperationAborted"]);
const EXPIRED = new Set(["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired"]);

/** True when the same request may succeed a little later. */
export function isTransient({ status, code }: S3Failure): boolean {
  return status === 0 || status >= 500 || status === 429 || status === 408 || TRANSIENT.has(code);
}

/** True when fresh credentials may help. */
export function isExpired({ code }: S3Failure): boolean {
  return EXPIRED.has(code);
}

/** The facts of a response that is not 2xx. */
export function failureOf(status: number, body: string, date: string | undefined): S3Failure {
  const code =
    xmlText(body, "Code") ?? (status === 404 ? "NotFound" : status === 412 ? "PreconditionFailed" : `${status}`);
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return new S3Failure(status, code, xmlText(body, "Message") || code, Number.isNaN(time) ? undefined : time);
}

/** The failure in plain words, for the user. */
export function describeFailure(error: unknown, place: { readonly bucket: string; readonly endpoint: string }): string {
  if (!(error instanceof S3Failure)) return messageOf(error);
  const { code, status, message } = error;
  if (code === "NoSuchBucket") return `the bucket ${place.bucket} does not exist (NoSuchBucket)`;
  if (isExpired(error)) return `the credentials have expired (${code})`;
  if (code === "InvalidAccessKeyId" || code === "SignatureDoesNotMatch")
    return `the credentials are not valid (${code})`;
  if (code === "RequestTimeTooSkewed")
    return "this machine's clock is too far from the server's (RequestTimeTooSkewed)";
  if (status === 403) return `access to the bucket ${place.bucket} was denied (${code})`;
  if (status === 0) return `${place.endpoint} cannot be reached: ${message}`;
  return message === code ? `S3 answered ${status} ${code}` : `S3 answered ${status} ${code}: ${message}`;
}

/** The error of a store whose bucket failed to do `action`. */
export function bucketFailed(
  action: string,
  error: unknown,
  place: { readonly bucket: string; readonly endpoint: string },
): SpillwayError {
  if (error instanceof SpillwayError) return error;
  const details = error instanceof S3Failure ? { status: error.status, s3Code: error.code } : {};
  const message = `cannot ${action}: ${describeFailure(error, place)}`;
  return new SpillwayError("STORE_FAILED", message, { cause: error, details });
}
