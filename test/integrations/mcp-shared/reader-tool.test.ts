import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { imageDimensions } from "../../../src/integrations/mcp-shared/mime-type.ts";
import { readArtifactResource } from "../../../src/integrations/mcp-shared/read-artifact.ts";
import { callReader, describeReader } from "../../../src/integrations/mcp-shared/reader-tool.ts";
import { temporaryFolder } from "../../support/folder.ts";

/** A PNG of one colour, of so many bytes more than it needs. */
function png(width: number, height: number, extraBytes = 0): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = deflateSync(Buffer.alloc((width * 3 + 1) * height));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.alloc(extraBytes, "x")),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

async function save(bytes: Buffer, extension: string) {
  const spillway = createSpillway({ root: temporaryFolder("reader"), config: false, env: {} });
  const governed = await spillway.govern(bytes, { tool: "shot", extension, maxBytes: 1 });
  if (governed.kind === "whole" || !("artifact" in governed.storage)) throw new Error("not saved");
  return {
    store: spillway.store,
    id: governed.storage.artifact.id,
    uri: `spillway://artifact/${governed.storage.artifact.id}`,
  };
}

const LIMITS = { maxMediaBytes: 1_000_000 };

describe("the reader", () => {
  test("has one definition of less than 1 KB", () => {
    expect(Buffer.byteLength(JSON.stringify(describeReader("spillway_read")))).toBeLessThan(1200);
  });

  test("gives an image as an image, and one that is too large as words", async () => {
    const image = png(640, 480, 100_000);
    const { store, id } = await save(image, "png");
    const { content } = await callReader({ id }, store, LIMITS);
    expect(content).toMatchObject([
      { type: "image", mimeType: "image/png", data: image.toString("base64") },
      { type: "text", text: expect.stringContaining("640 x 480 pixels") },
    ]);
    const described = await callReader({ id }, store, { maxMediaBytes: 1000 });
    expect(described.content).toMatchObject([
      {
        type: "text",
        text: expect.stringMatching(/image of type image\/png, 640 x 480 pixels, [\d,]+ bytes: not shown/),
      },
    ]);
  });

  test("finds, searches and reads by what it is given, and says so when that is two things", async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => (at === 1234 ? "the needle" : `row ${at}`)).join("\n");
    const { store, id } = await save(Buffer.from(rows), "txt");
    const ask = async (args: object) => JSON.stringify(await callReader({ id, ...args }, store, LIMITS));
    expect(await ask({ pattern: "NEEDLE", ignore_case: true })).toContain("1235:the needle");
    expect(await ask({ query: "needle" })).toContain("the needle");
    expect(await ask({ offset: 1235, limit: 1 })).toContain("the needle");
    expect(await ask({ bytes: "0-5" })).toContain("row 0");
    expect(await ask({ pattern: "a", query: "b" })).toContain("pattern and query ask for two different things");
    const small = await callReader({ id, limit: 3000 }, store, { ...LIMITS, maxBytes: 2000 });
    expect(Buffer.byteLength((small.content as { text: string }[])[0]!.text)).toBeLessThanOrEqual(2000);
  });
});

describe("the reader with all", () => {
  const rows = Array.from({ length: 9000 }, (_, at) => `row ${at} "quoted" é漢🙂`).join("\n");
  const cases: readonly [name: string, text: string, args: object, maxBytes: number | undefined][] = [
    ["many lines", rows, {}, undefined],
    ["many lines within a budget", rows, { max_bytes: 3000 }, undefined],
    ["a budget above the limit", rows, { max_bytes: 1_000_000 }, 9000],
    ["one line", "é".repeat(70_000), {}, undefined],
    ["a text that fits", "short\n", {}, undefined],
  ];

  test.each(cases)("gives each byte once, in as many calls as it says: %s", async (_, whole, args, maxBytes) => {
    const { store, id } = await save(Buffer.from(whole), "txt");
    const texts: string[] = [];
    let announced: number | undefined;
    for (let next: object | undefined = { id, all: true, ...args }; next !== undefined; ) {
      const { content } = await callReader(next, store, { ...LIMITS, maxBytes });
      const { text } = (content as { text: string }[])[0]!;
      const end =
        /\n?\[part \d+ of (\d+), bytes (\d+)-(\d+) of (\d+)\. (?:That was all\.|(\d+) more calls? to read all\. Next: (\{.*\}))\]$/;
      const [, parts, start, stop, total, left, json] = end.exec(text)!;
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes ?? 51_200);
      texts.push(
        Buffer.from(text)
          .subarray(0, Number(stop) - Number(start))
          .toString(),
      );
      announced ??= Number(parts);
      expect(Number(parts)).toBe(announced);
      expect(Number(left ?? 0)).toBe(announced - texts.length);
      expect(Number(total)).toBe(Buffer.byteLength(whole));
      next = json === undefined ? undefined : (JSON.parse(json) as object);
    }
    expect(texts.join("")).toBe(whole);
    expect(texts).toHaveLength(announced ?? 0);
  });

  test("says so when it is asked for something else as well, or for a part that there is not", async () => {
    const { store, id } = await save(Buffer.from(rows), "txt");
    const ask = async (args: object) => JSON.stringify(await callReader({ id, all: true, ...args }, store, LIMITS));
    expect(await ask({ pattern: "x" })).toContain("all and pattern ask for two different things");
    expect(await ask({ offset: 3 })).toContain("all and offset ask for two different things");
    expect(await ask({ part: 99 })).toMatch(/There is no part 99: it has \d+ parts/);
    expect(await ask({ part: 0 })).toContain("part must be a whole number from 1 on");
  });
});

describe("resources/read", () => {
  test("gives a PNG whole or described, never cut under its own type", async () => {
    const image = png(1280, 720, 300_000);
    const { store, uri } = await save(image, "png");
    expect((await readArtifactResource(uri, store)).contents).toEqual([
      { uri, mimeType: "image/png", blob: image.toString("base64") },
    ]);
    const [described] = (await readArtifactResource(uri, store, 1000)).contents as Record<string, string>[];
    expect(described).toMatchObject({ mimeType: "text/plain", text: expect.stringContaining("1280 x 720 pixels") });
    const [part] = (await readArtifactResource(`${uri}?bytes=0-9`, store)).contents as Record<string, string>[];
    expect(part).toMatchObject({ mimeType: "application/octet-stream", blob: image.subarray(0, 9).toString("base64") });
  });
});

test("the size of an image is read from its head", () => {
  expect(imageDimensions(png(3, 5))).toEqual({ width: 3, height: 5 });
  const gif = Buffer.from("GIF89a\x05\x00\x07\x00", "latin1");
  expect(imageDimensions(gif)).toEqual({ width: 5, height: 7 });
  const jpeg = Buffer.from("ffd8ffe000044a46ffc0000b080010002003", "hex");
  expect(imageDimensions(jpeg)).toEqual({ width: 32, height: 16 });
  const webp = Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0", "latin1"),
    Buffer.from("ff0200570200", "hex"),
  ]);
  expect(imageDimensions(webp)).toEqual({ width: 768, height: 600 });
  expect(imageDimensions(Buffer.from("\x89PNG", "latin1"))).toBeUndefined();
  expect(imageDimensions(Buffer.from("hello"))).toBeUndefined();
});
