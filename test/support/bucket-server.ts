import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface BucketServer {
  readonly url: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  close(): void;
}

/**
 * One bucket in memory, as much of S3 as a single upload, a range and a listing need. It checks no signature; what real
 * servers do is in test/scale.
 */
export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://bucket");
    const [, , ...rest] = pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const found = objects.get(key);
    if (key === "" && request.method === "GET" && searchParams.has("list-type")) {
      const [prefix, after] = [searchParams.get("prefix") ?? "", searchParams.get("start-after") ?? ""];
      const rows = [...objects].filter(([name]) => name.startsWith(prefix) && name > after).sort();
      response.end(`<ListBucketResult>${rows.map(listed).join("")}</ListBucketResult>`);
    } else if (searchParams.has("uploads")) {
      response.end("<ListMultipartUploadsResult/>");
    } else if (key === "") {
      response.writeHead(request.method === "GET" ? 404 : 200).end();
    } else if (request.method === "PUT") {
      if (found !== undefined && request.headers["if-none-match"] === "*") return void response.writeHead(412).end();
      objects.set(key, Buffer.concat(chunks));
      response.setHeader("etag", tagOf(Buffer.concat(chunks))).end();
    } else if (request.method === "DELETE") {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (found === undefined) {
      response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    } else {
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
      const from = Number(first ?? 0);
      const end = last ? Math.min(Number(last) + 1, found.length) : found.length;
      const headers = { etag: tagOf(found), "content-length": end - from };
      const range = { "content-range": `bytes ${from}-${end - 1}/${found.length}` };
      response.writeHead(first === undefined ? 200 : 206, first === undefined ? headers : { ...headers, ...range });
      response.end(request.method === "HEAD" ? undefined : found.subarray(from, end));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, objects, close: () => server.close() };
}

const tagOf = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`;

function listed([name, bytes]: readonly [string, Buffer]): string {
  const at = "2026-11-15T12:00:00.000Z";
  return `<Contents><Key>${name}</Key><Size>${bytes.length}</Size><LastModified>${at}</LastModified><ETag>${tagOf(bytes)}</ETag></Contents>`;
}
