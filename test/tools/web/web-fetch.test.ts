import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeText } from "../../../src/tools/edit/editable-file.ts";
import { isPublicAddress } from "../../../src/tools/web/web-request.ts";
import { expectEnvelope, expectError } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

const paragraph = "Water is held back until the gate opens, and then it runs down the spillway in a long white sheet. ";
const page = `<!doctype html><html><head><title>Spillways</title><script>evil()</script></head><body>
  <nav><a href="/about">About us</a></nav>
  <article><h1>How spillways work</h1><p>${paragraph.repeat(6)}</p><p>See <a href="./deep">the deep page</a>. ${paragraph.repeat(6)}</p>
  <pre><code>open(gate)</code></pre></article><footer>Footer</footer></body></html>`;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const send =
  (type: string, body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): Handler =>
  (_, response) =>
    response.writeHead(status, { "content-type": type, ...headers }).end(body);

const routes: Record<string, Handler> = {
  "/page": send("text/html; charset=utf-8", page),
  "/plain": send("text/plain", "just text\n"),
  "/json": send("application/json", '{"a":1}'),
  "/gbk-header": send("text/plain; charset=gbk", encodeText("你好，世界\n", "gbk") as Buffer),
  "/gbk-meta": send(
    "text/html",
    Buffer.concat([
      Buffer.from('<html><head><meta charset="gbk"></head><body><p>'),
      encodeText("你好，世界", "gbk") as Buffer,
      Buffer.from("</p></body></html>"),
    ]),
  ),
  "/deep": send("text/html", `${"<div>".repeat(2000)}the deepest text`),
  "/crowded": send("text/html", `<title>no</title>${"<p>one &amp; two</p>".repeat(20_000)}<script>evil()</script>`),
  "/gzip": send("text/plain", gzipSync("zipped text"), { "content-encoding": "gzip" }),
  "/brotli": send("text/plain", brotliCompressSync("brotli text"), { "content-encoding": "br" }),
  "/twice": send("text/plain", brotliCompressSync(gzipSync("twice")), { "content-encoding": "gzip, br" }),
  "/often": send("text/plain", "x", { "content-encoding": Array(3000).fill("gzip").join(",") }),
  "/bomb": send("text/plain", gzipSync(Buffer.alloc(200 << 20)), { "content-encoding": "gzip" }),
  "/endless": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
    response.on("close", () => clearInterval(timer));
  },
  "/slow": (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).write("begun"),
  "/silent": () => {},
  "/image": send("image/png", Buffer.from("89504e470d0a1a0a0000", "hex")),
  "/missing": send("text/plain", "nothing here", {}, 404),
  "/forbidden": send("text/plain", "no", {}, 403),
  "/broken": send("text/plain", "oops", {}, 500),
  "/redirect": send("text/plain", "", { location: "/plain" }, 302),
  "/loop": send("text/plain", "", { location: "/loop" }, 302),
  "/to-file": send("text/plain", "", { location: "file:///etc/passwd" }, 302),
  "/long": send("text/plain", "a line of text\n".repeat(20_000)),
};

let base: string;
const server = createServer((request, response) =>
  (routes[request.url ?? ""] ?? send("text/plain", "?", {}, 404))(request, response),
);
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("WebFetch", () => {
  const space = createWorkspace({ allowPrivateAddresses: true });
  const fetch = async (route: string, params: object = {}) =>
    expectEnvelope(await space.call("WebFetch", { url: `${base}${route}`, ...params }));

  it("turns a page into Markdown, the main article first", async () => {
    const response = await fetch("/page");
    const content = response.data.content as string;
    expect(response).toMatchObject({ status: "success", data: { status: 200, title: expect.any(String) } });
    expect(content.indexOf("Water is held back")).toBeLessThan(content.indexOf("About us"));
    expect(content).toContain(`[the deep page](${base}/deep)`);
    expect(content).toContain("```\nopen(gate)");
    expect(content).not.toContain("evil()");
  });

  it("gives plain text and HTML when asked", async () => {
    expect((await fetch("/page", { format: "text" })).data.content).not.toMatch(/[<>]|\]\(/);
    expect((await fetch("/page", { format: "html" })).data.content).toBe(page);
  });

  it.each([
    ["/plain", "just text\n"],
    ["/json", '{"a":1}'],
    ["/gbk-header", "你好，世界\n"],
    ["/gzip", "zipped text"],
    ["/brotli", "brotli text"],
    ["/twice", "twice"],
    ["/redirect", "just text\n"],
  ])("reads %s", async (route, content) => {
    expect((await fetch(route)).data.content).toBe(content);
  });

  it("takes the charset from the page itself", async () => {
    const response = await fetch("/gbk-meta");
    expect(response.data.content).toContain("你好，世界");
    expect(response.data.encoding).toBe("gbk");
  });

  it("stops a gzip bomb and an endless answer at max_bytes, and says so", async () => {
    for (const route of ["/bomb", "/endless"]) {
      const response = await fetch(route, { max_bytes: 10_000 });
      expect(response).toMatchObject({ status: "partial", data: { truncated: true }, stats: { bytes: 10_000 } });
      expect(response.text).toContain("stopped at 10000 bytes");
    }
  });

  it("gives the bare text of a page too deep or too crowded to find its article", async () => {
    const deep = await fetch("/deep");
    expect(deep).toMatchObject({ status: "partial", data: { fallback: "text", content: "the deepest text\n" } });
    expect(deep.data.truncated).toBe(false);
    const crowded = await fetch("/crowded");
    expect(crowded.data.preview).toMatch(/^one & two\n/);
    expect(crowded.data.preview).not.toContain("evil");
  });

  it("gives up in time on a server that is slow or silent", async () => {
    for (const route of ["/slow", "/silent"]) {
      expectError(await space.call("WebFetch", { url: `${base}${route}`, timeout_ms: 300 }), "TIMEOUT");
    }
  });

  it("ends on abort", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    expectError(
      await space.call("WebFetch", { url: `${base}/silent` }, { signal: controller.signal }),
      "EXECUTION_ERROR",
    );
  });

  it("tells HTTP failures by code and keeps the answer", async () => {
    expect(expectError(await space.call("WebFetch", { url: `${base}/missing` }), "NOT_FOUND").data.content).toBe(
      "nothing here",
    );
    expectError(await space.call("WebFetch", { url: `${base}/forbidden` }), "PERMISSION_DENIED");
    expectError(await space.call("WebFetch", { url: `${base}/broken` }), "EXECUTION_ERROR");
    const often = expectError(await space.call("WebFetch", { url: `${base}/often` }), "EXECUTION_ERROR");
    expect(often.error?.message).toBe("The answer is compressed 3000 times over.");
    expectError(await space.call("WebFetch", { url: `${base}/loop` }), "EXECUTION_ERROR");
    expectError(await space.call("WebFetch", { url: "http://127.0.0.1:1/" }), "EXECUTION_ERROR");
  });

  it("calls an image a binary file", async () => {
    expect(expectError(await space.call("WebFetch", { url: `${base}/image` }), "BINARY_FILE").data.type).toBe(
      "PNG image",
    );
  });

  it("takes http and https only, also in a redirect", async () => {
    for (const url of [
      "file:///etc/passwd",
      "ftp://example.com/",
      "not an address",
      "http://user:pass@example.com/",
      `${base}/to-file`,
    ]) {
      expectError(await space.call("WebFetch", { url }), "INVALID_PARAM");
    }
  });

  it("saves a long text and shows part of it", async () => {
    const response = await fetch("/long");
    expect(response).toMatchObject({
      status: "partial",
      data: { truncated: true, truncation: { original_bytes: 300_000 } },
    });
  });
});

describe("WebFetch without the option", () => {
  const space = createWorkspace();

  it("connects to no loopback, private, link-local or metadata address, however it is written", async () => {
    const port = new URL(base).port;
    const hosts = [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f.1",
      "0.0.0.0",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "169.254.169.254",
      "10.0.0.1",
      "192.168.1.1",
      "[fd00::1]",
      "[fe80::1]",
    ];
    for (const host of hosts) {
      expectError(
        await space.call("WebFetch", { url: `http://${host}:${port}/plain`, timeout_ms: 5000 }),
        "ACCESS_DENIED",
      );
    }
  });
});

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700:4700::1111"])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "127.0.0.1",
    "100.64.0.1",
    "172.31.255.255",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001::1",
    "fc00::1",
    "fe80::1%eth0",
    "ff02::1",
    "nonsense",
  ])("refuses %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
