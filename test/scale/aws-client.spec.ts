import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { describeArtifactStore } from "../../src/artifacts/contract.ts";
import type { S3ClientLike } from "../../src/artifacts/s3/credentials.ts";
import { PROJECT } from "../support/build.ts";
import { refuse, startFaultProxy } from "./fault-proxy.ts";
import { BUCKET, newStore, servers } from "./servers.ts";

const MB = 1024 * 1024;
/** Installed by `run.mjs`. */
const SDK = path.join(PROJECT, "bench/scale/peers/node_modules/@aws-sdk/client-s3/dist-cjs/index.js");

interface ClientOptions {
  readonly region: string;
  readonly endpoint?: string;
  readonly forcePathStyle?: boolean;
  readonly credentials: unknown;
}

interface Sdk {
  readonly S3Client: new (
    options: ClientOptions,
  ) => S3ClientLike & {
    send(command: object): Promise<{ readonly Body: { transformToByteArray(): Promise<Uint8Array> } }>;
  };
  readonly GetObjectCommand: new (input: { readonly Bucket: string; readonly Key: string }) => object;
}

describe.skipIf(servers.s3 === undefined || !existsSync(SDK))("a client of the AWS SDK", () => {
  const { endpoint = "", accessKeyId = "", secretAccessKey = "" } = servers.s3 ?? {};
  const credentials = { accessKeyId, secretAccessKey };
  const region = "us-east-1";
  /** Nothing but the client says where the bucket is. */
  const storeOf = (client: S3ClientLike, options = {}) =>
    newStore({ client, endpoint: undefined, credentials: undefined, ...options });
  let sdk: Sdk;
  beforeAll(async () => {
    sdk = (await import(pathToFileURL(SDK).href)) as Sdk;
    await newStore().init();
  });

  describeArtifactStore(
    "a store with an S3Client",
    ({ now }) => storeOf(new sdk.S3Client({ region, endpoint, forcePathStyle: true, credentials }), { now }),
    { describe, it, expect },
  );

  it("reads with the client what the store wrote, in parts too", async () => {
    const client = new sdk.S3Client({ region, endpoint, forcePathStyle: true, credentials });
    const store = storeOf(client);
    for (const bytes of [Buffer.from("small\n"), Buffer.alloc(12 * MB, "a line of text\n")]) {
      const writer = await store.create({ tool: "Bash" });
      await writer.write(bytes);
      expect((await writer.finish({ complete: true })).spooled).toBe(undefined);
      const Key = `${store.uri.split("/").slice(3).join("/")}/${writer.name}`;
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: BUCKET, Key }));
      expect(Buffer.from(await Body.transformToByteArray()).equals(bytes)).toBe(true);
    }
  });

  it("goes where the environment sends the client, by the client's own rules", async () => {
    process.env.AWS_ENDPOINT_URL_S3 = endpoint;
    try {
      // An address of numbers has no name for a bucket before it, so the path has it, as the SDK does.
      const store = storeOf(new sdk.S3Client({ region, credentials }));
      const writer = await store.create({ tool: "Bash" });
      await writer.write(Buffer.from("by the environment\n"));
      expect((await writer.finish({ complete: true })).spooled).toBe(undefined);
      expect((await store.verify(writer.id)).ok).toBe(true);
    } finally {
      delete process.env.AWS_ENDPOINT_URL_S3;
    }
  });

  it("has the client fetch its credentials anew when they have expired", async () => {
    const proxy = await startFaultProxy(endpoint);
    proxy.fault = (request, response) =>
      request.headers.authorization?.includes("EXPIRED") === true ? refuse(response, 400, "ExpiredToken") : undefined;
    let asked = 0;
    const provider = async () => ({ accessKeyId: asked++ === 0 ? "EXPIRED" : accessKeyId, secretAccessKey });
    const client = new sdk.S3Client({ region, endpoint: proxy.endpoint, credentials: provider });
    const store = storeOf(client);
    const writer = await store.create({ tool: "Bash" });
    await writer.write(Buffer.from("x\n"));
    expect((await writer.finish({ complete: true })).spooled).toBe(undefined);
    expect(asked).toBe(2);
    await proxy.close();
  });
});
