import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCredentials, keepUntilExpired } from "../../../src/artifacts/s3/credentials.ts";
import { resolvePlace } from "../../../src/artifacts/s3/s3-store.ts";

let home: string;
let server: http.Server;
let base: string;
const NOWHERE = { AWS_EC2_METADATA_DISABLED: "true" };

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "spillway-aws-"));
  await writeFile(
    join(home, "config"),
    `[default]\nregion = eu-central-1\n[profile made]\ncredential_process = echo '{"Version":1,"AccessKeyId":"MADE","SecretAccessKey":"s"}'\nendpoint_url = http://127.0.0.1:9/s3\n[profile sso]\nsso_session = x\n`,
  );
  await writeFile(join(home, "credentials"), "[default]\naws_access_key_id=KEPT\naws_secret_access_key = a=b\n");
  await writeFile(join(home, "token"), "a token\n");
  server = http.createServer((request, response) => {
    const key = JSON.stringify({
      AccessKeyId: `of ${request.url}`,
      SecretAccessKey: "s",
      Token: request.headers.authorization,
    });
    if (request.url === "/sts/")
      response.end("<R><AccessKeyId>STS</AccessKeyId><SecretAccessKey>s</SecretAccessKey></R>");
    else if (request.url === "/latest/api/token") response.end("imds");
    else if (request.url?.endsWith("/security-credentials/")) response.end("role");
    else response.end(key);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(home, { recursive: true, force: true });
});

const files = () => ({ AWS_CONFIG_FILE: join(home, "config"), AWS_SHARED_CREDENTIALS_FILE: join(home, "credentials") });
const none = () => ({ AWS_CONFIG_FILE: join(home, "no"), AWS_SHARED_CREDENTIALS_FILE: join(home, "no") });
const keyOf = async (env: Record<string, string>) =>
  (await createCredentials({ ...NOWHERE, ...env })(false)).accessKeyId;

describe("credentials as the AWS tools find them", () => {
  it("from the environment, then from the profile's files or process", async () => {
    expect(await keyOf({ ...files(), AWS_ACCESS_KEY_ID: "ENV", AWS_SECRET_ACCESS_KEY: "s" })).toBe("ENV");
    expect(await createCredentials({ ...NOWHERE, ...files() })(false)).toMatchObject({
      accessKeyId: "KEPT",
      secretAccessKey: "a=b",
    });
    expect(await keyOf({ ...files(), AWS_PROFILE: "made", AWS_ACCESS_KEY_ID: "ENV", AWS_SECRET_ACCESS_KEY: "s" })).toBe(
      "MADE",
    );
  });

  it("from a web identity, a container or the instance", async () => {
    const token = join(home, "token");
    const identity = {
      AWS_WEB_IDENTITY_TOKEN_FILE: token,
      AWS_ROLE_ARN: "arn:r",
      AWS_ENDPOINT_URL_STS: `${base}/sts/`,
    };
    expect(await keyOf({ ...none(), ...identity })).toBe("STS");
    const container = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/c`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: token,
    };
    const given = await createCredentials({ ...NOWHERE, ...none(), ...container })(false);
    expect(given).toMatchObject({ accessKeyId: "of /c", sessionToken: "a token" });
    const instance = { AWS_EC2_METADATA_DISABLED: "false", AWS_EC2_METADATA_SERVICE_ENDPOINT: base };
    expect(await keyOf({ ...none(), ...instance })).toBe("of /latest/meta-data/iam/security-credentials/role");
  });

  it("says what to do where there are none", async () => {
    await expect(keyOf(none())).rejects.toThrow(/AWS_ACCESS_KEY_ID/);
    await expect(keyOf({ ...files(), AWS_PROFILE: "sso" })).rejects.toThrow(/credential_process/);
  });

  it("are kept until shortly before they expire, or were refused", async () => {
    let loads = 0;
    const soon = keepUntilExpired(async () => ({
      accessKeyId: String(++loads),
      secretAccessKey: "s",
      expiration: new Date(Date.now() + (loads === 1 ? 60_000 : 3_600_000)),
    }));
    expect((await soon(false)).accessKeyId).toBe("1");
    expect((await soon(false)).accessKeyId).toBe("2");
    expect((await soon(false)).accessKeyId).toBe("2");
    expect((await soon(true)).accessKeyId).toBe("3");
  });
});

describe("where a bucket is", () => {
  it("by options, environment and profile; path style for an endpoint of one's own", async () => {
    const at = (options: object, env: Record<string, string> = none()) =>
      resolvePlace({ bucket: "b", ...options }, { ...NOWHERE, ...env });
    expect(await at({})).toMatchObject({ endpoint: "https://s3.us-east-1.amazonaws.com", pathStyle: false });
    expect(await at({}, files())).toMatchObject({ endpoint: "https://s3.eu-central-1.amazonaws.com" });
    expect(await at({}, { ...files(), AWS_PROFILE: "made" })).toMatchObject({
      endpoint: "http://127.0.0.1:9/s3",
      pathStyle: true,
    });
    expect(await at({ endpoint: "http://x:1/", region: "r" })).toMatchObject({ endpoint: "http://x:1", region: "r" });
    await expect(at({ endpoint: "ftp://x" })).rejects.toThrow(/http or https/);
  });

  it("or as an S3Client of the AWS SDK has it", async () => {
    const config = {
      region: async () => "eu-west-1",
      credentials: async () => ({ accessKeyId: "SDK", secretAccessKey: "s" }),
      endpoint: async () => ({ protocol: "http:", hostname: "localhost", port: 9000, path: "/" }),
      forcePathStyle: true,
    };
    const place = await resolvePlace({ bucket: "b", client: { config } }, NOWHERE);
    expect(place).toMatchObject({ region: "eu-west-1", endpoint: "http://localhost:9000", pathStyle: true });
    expect((await place.credentials(false)).accessKeyId).toBe("SDK");
  });
});
