import { describe, expect, it } from "vitest";
import { type S3Place, S3Requests } from "../../../src/artifacts/s3/s3-requests.ts";

describe("S3Requests", () => {
  it("asks again where the bucket is when nobody could say it before", async () => {
    const place: S3Place = {
      bucket: "b",
      endpoint: "http://127.0.0.1:1",
      region: "eu-central-1",
      pathStyle: true,
      credentials: () => Promise.reject(new Error("none")),
    };
    const answers = [Promise.reject(new Error("no network yet")), Promise.resolve(place)];
    const requests = new S3Requests("b", () => answers.shift()!, { timeoutMs: 1000, retryForMs: 0 });
    await expect(requests.region).rejects.toThrow("no network yet");
    expect(await requests.region).toBe("eu-central-1");
  });
});
