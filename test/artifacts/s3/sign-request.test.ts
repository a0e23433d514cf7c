import { describe, expect, it } from "vitest";
import { escapeUri, signRequest } from "../../../src/artifacts/s3/sign-request.ts";

const CREDENTIALS = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const NOW = Date.UTC(2013, 4, 24);

/** The examples of the S3 reference, "Authenticating Requests (AWS Signature Version 4)". */
const EXAMPLES = [
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/test.txt",
    headers: { range: "bytes=0-9" },
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/?lifecycle=",
    headers: {},
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J",
    headers: {},
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

describe("signing of requests", () => {
  it.each(EXAMPLES)("is as S3's reference has it: $url", ({ method, url, headers, signature }) => {
    const request = { method, url: new URL(url), headers, body: new Uint8Array(0), region: "us-east-1", now: NOW };
    expect(signRequest(request, CREDENTIALS).authorization).toMatch(new RegExp(`Signature=${signature}$`));
  });

  it("covers body and session token", () => {
    const base = { method: "PUT", url: new URL("http://h/b/k"), headers: {}, region: "r", now: NOW };
    const sign = (body: string, sessionToken?: string) =>
      signRequest({ ...base, body: Buffer.from(body) }, { ...CREDENTIALS, sessionToken }).authorization;
    expect(new Set([sign("a"), sign("b"), sign("a", "t")]).size).toBe(3);
  });

  it("escapes all that a signed path must not hold", () => {
    expect(escapeUri("a b!'()*+é/~-_.")).toBe("a%20b%21%27%28%29%2A%2B%C3%A9%2F~-_.");
  });
});
