import { createHash } from "node:crypto";
import { S3Failure } from "./s3-failure.ts";
import type { S3Answer, S3Requests } from "./s3-requests.ts";
import { escapeXml, xmlParts, xmlText } from "./sign-request.ts";

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** Milliseconds since 1970, by the server's clock. */
  readonly modified: number;
}

export interface LeftUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly started: number;
}

const DELETE_AT_ONCE = 1000;

/** The operations of S3 that a store needs. */
export class Bucket {
  readonly requests: S3Requests;
  /** Headers of every object that is created: encryption and tags. */
  readonly #newObject: Readonly<Record<string, string>>;

  constructor(requests: S3Requests, newObject: Readonly<Record<string, string>>) {
    this.requests = requests;
    this.#newObject = newObject;
  }

  async put(key: string, body: Uint8Array, type: string, signal?: AbortSignal): Promise<void> {
    const headers = { ...this.#newObject, "content-type": type };
    await this.requests.send({ method: "PUT", key, headers, body, signal });
  }

  /** Creates an object; false when there is one of that name, unless an earlier try of the same call made it. */
  async putNew(key: string, body: Uint8Array, type: string): Promise<boolean> {
    const headers = { ...this.#newObject, "content-type": type, "if-none-match": "*" };
    try {
      await this.requests.send({ method: "PUT", key, headers, body });
      return true;
    } catch (error) {
      if (!(error instanceof S3Failure) || error.status !== 412) throw error;
      return (await this.get(key))?.equals(body) === true;
    }
  }

  /** A small object; undefined if it does not exist. */
  async get(key: string): Promise<Buffer | undefined> {
    return (await this.#unlessMissing({ method: "GET", key }))?.body;
  }

  async getRange(key: string, startByte: number, endByte: number): Promise<Buffer> {
    if (endByte <= startByte) return Buffer.alloc(0);
    const headers = { range: `bytes=${startByte}-${endByte - 1}` };
    return (await this.requests.send({ method: "GET", key, headers })).body;
  }

  /** The size of an object; undefined if it does not exist. */
  async size(key: string): Promise<number | undefined> {
    const answer = await this.#unlessMissing({ method: "HEAD", key });
    return answer && Number(answer.headers["content-length"]);
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += DELETE_AT_ONCE) {
      const some = keys.slice(at, at + DELETE_AT_ONCE);
      if (some.length === 1) {
        await this.requests.send({ method: "DELETE", key: some[0] });
        continue;
      }
      const objects = some.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join("");
      const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects}</Delete>`);
      const answer = await this.requests.send({ method: "POST", query: { delete: "" }, headers: withMd5(body), body });
      const [refused] = xmlParts(answer.body.toString(), "Error");
      if (refused !== undefined)
        throw new S3Failure(403, xmlText(refused, "Code") ?? "AccessDenied", xmlText(refused, "Message") ?? "refused");
    }
  }

  /** Objects in the order of their keys, from after one key on. */
  async *list(prefix: string, startAfter?: string): AsyncIterable<ListedObject> {
    let token: string | undefined;
    do {
      const query = {
        "list-type": "2",
        prefix,
        ...(startAfter === undefined ? {} : { "start-after": startAfter }),
        ...(token === undefined ? {} : { "continuation-token": token }),
      };
      const xml = (await this.requests.send({ method: "GET", query })).body.toString();
      for (const part of xmlParts(xml, "Contents")) {
        const modified = Date.parse(xmlText(part, "LastModified") ?? "");
        yield { key: xmlText(part, "Key") ?? "", bytes: Number(xmlText(part, "Size")), modified };
      }
      token = xmlText(xml, "IsTruncated") === "true" ? xmlText(xml, "NextContinuationToken") : undefined;
    } while (token !== undefined);
  }

  async startUpload(key: string, type: string): Promise<string> {
    const headers = { ...this.#newObject, "content-type": type };
    const answer = await this.requests.send({ method: "POST", key, query: { uploads: "" }, headers });
    const uploadId = xmlText(answer.body.toString(), "UploadId");
    if (uploadId === undefined) throw new S3Failure(0, "network", "S3 gave no id for the upload");
    return uploadId;
  }

  /** Gives the part's entity tag, which completes the upload. */
  async uploadPart(
    key: string,
    uploadId: string,
    partNumber: number,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<string> {
    const query = { partNumber: String(partNumber), uploadId };
    const answer = await this.requests.send({ method: "PUT", key, query, body, signal });
    return answer.headers.etag ?? "";
  }

  async completeUpload(key: string, uploadId: string, tags: readonly string[], bytes: number): Promise<void> {
    const parts = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    try {
      await this.requests.send({ method: "POST", key, query: { uploadId }, body });
    } catch (error) {
      // An earlier attempt succeeded, but its response was lost.
      const gone = error instanceof S3Failure && error.code === "NoSuchUpload";
      if (!gone || (await this.size(key)) !== bytes) throw error;
    }
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    await this.#unlessMissing({ method: "DELETE", key, query: { uploadId } });
  }

  async *listUploads(prefix: string): AsyncIterable<LeftUpload> {
    let markers: Record<string, string> = {};
    for (;;) {
      const query = { uploads: "", prefix, ...markers };
      const xml = (await this.requests.send({ method: "GET", query })).body.toString();
      for (const part of xmlParts(xml, "Upload")) {
        const [key = "", uploadId = ""] = [xmlText(part, "Key"), xmlText(part, "UploadId")];
        yield { key, uploadId, started: Date.parse(xmlText(part, "Initiated") ?? "") };
      }
      const [key, uploadId] = [xmlText(xml, "NextKeyMarker"), xmlText(xml, "NextUploadIdMarker")];
      if (xmlText(xml, "IsTruncated") !== "true" || !key || !uploadId) return;
      markers = { "key-marker": key, "upload-id-marker": uploadId };
    }
  }

  /** When the newest part of an upload came, and how many bytes came in all; undefined when the upload has ended. */
  async lastPart({ key, uploadId }: LeftUpload): Promise<{ modified: number; bytes: number } | undefined> {
    let modified = 0;
    let bytes = 0;
    let marker: string | undefined;
    do {
      const query = { uploadId, ...(marker === undefined ? {} : { "part-number-marker": marker }) };
      const answer = await this.#unlessMissing({ method: "GET", key, query });
      if (answer === undefined) return undefined;
      const xml = answer.body.toString();
      for (const part of xmlParts(xml, "Part")) {
        modified = Math.max(modified, Date.parse(xmlText(part, "LastModified") ?? ""));
        bytes += Number(xmlText(part, "Size"));
      }
      marker = xmlText(xml, "IsTruncated") === "true" ? xmlText(xml, "NextPartNumberMarker") : undefined;
    } while (marker !== undefined);
    return { modified, bytes };
  }

  /** The bucket's lifecycle rules as XML; undefined if there are none. */
  async lifecycle(): Promise<string | undefined> {
    return (await this.#unlessMissing({ method: "GET", query: { lifecycle: "" } }))?.body.toString();
  }

  async putLifecycle(rules: readonly string[]): Promise<void> {
    const body = Buffer.from(`<LifecycleConfiguration>${rules.join("")}</LifecycleConfiguration>`);
    await this.requests.send({ method: "PUT", query: { lifecycle: "" }, headers: withMd5(body), body });
  }

  async createBucket(): Promise<void> {
    const region = await this.requests.region;
    const body =
      region === "us-east-1"
        ? undefined
        : Buffer.from(
            `<CreateBucketConfiguration><LocationConstraint>${escapeXml(region)}</LocationConstraint></CreateBucketConfiguration>`,
          );
    await this.requests.send({ method: "PUT", body });
  }

  async #unlessMissing(request: Parameters<S3Requests["send"]>[0]): Promise<S3Answer | undefined> {
    try {
      return await this.requests.send(request);
    } catch (error) {
      if (error instanceof S3Failure && error.status === 404 && error.code !== "NoSuchBucket") return undefined;
      throw error;
    }
  }
}

function withMd5(body: Uint8Array): Record<string, string> {
  return { "content-md5": createHash("md5").update(body).digest("base64") };
}
