import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStringBytes } from "../../../../src/bytes/json/compiled-string-bytes.ts";
import { JsonScanner } from "../../../../src/bytes/json/json-scanner.ts";
import { type Copied, plainStringBytes } from "../../../../src/bytes/json/string-bytes.ts";
import { escapeJson, JsonUnescaper, unescapeJson } from "../../../../src/bytes/json/unescape-json.ts";
import { LineFrames } from "../../../../src/bytes/line-frames.ts";
import { decodeBase64 } from "../../../../src/integrations/mcp-proxy/message/bound-media.ts";
import { findOpenPath, isContentText, SpoolFile } from "../../../../src/integrations/mcp-proxy/spool/spool-file.ts";
import { temporaryRoot } from "../../../support/mcp-peers.ts";

const text = fc.string({ unit: "binary", maxLength: 60 });
const message = fc.record({ result: fc.jsonValue(), id: fc.oneof(fc.integer(), text), method: text });
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });

/** Cuts bytes into pieces of these sizes, over and over. */
function cut(bytes: Buffer, pieces: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = pieces[turn % pieces.length]!;
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

async function* streamOf(parts: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(Uint8Array.from(part));
  return Buffer.concat(parts);
}

describe("JsonScanner", () => {
  test("in any chunking: skeleton and strings together are the message, id and method are found", () => {
    fc.assert(
      fc.property(
        message,
        sizes,
        fc.integer({ min: 0, max: 30 }),
        fc.boolean(),
        (value, pieces, longStringBytes, pretty) => {
          const bytes = Buffer.from(JSON.stringify(value, null, pretty ? 2 : 0));
          const scanner = new JsonScanner({ longStringBytes, maxSkeletonBytes: 1e6, token: (index) => `<${index}>` });
          for (const part of cut(bytes, pieces)) scanner.write(part);
          const scan = scanner.finish();
          expect(scan.balanced).toBe(true);
          let restored = "";
          let rest = scan.skeleton!.toString("utf8");
          for (const [index, { startByte, endByte }] of scan.strings.entries()) {
            const at = rest.indexOf(`"<${index}>"`);
            restored += `${rest.slice(0, at)}"${bytes.subarray(startByte, endByte).toString("utf8")}"`;
            rest = rest.slice(at + `"<${index}>"`.length);
          }
          expect(restored + rest).toBe(bytes.toString("utf8"));
          const long = (raw: unknown): boolean =>
            Buffer.byteLength(JSON.stringify(raw)) - 2 > longStringBytes && typeof raw === "string";
          if (!long(value.id) && !long("id")) expect(JSON.parse(scan.id!)).toEqual(value.id);
          if (!long(value.method) && !long("method")) expect(JSON.parse(scan.method!)).toEqual(value.method);
        },
      ),
    );
  });

  test.each(["", "plain text", "[1,2]", '{"a":1', '{"a":1}}', '{"a":"b', '"text"', "{} x"])(
    "%j is no message",
    (line) => {
      const scanner = new JsonScanner({ longStringBytes: 10, maxSkeletonBytes: 100, token: String });
      scanner.write(Buffer.from(line));
      expect(scanner.finish().balanced).toBe(false);
    },
  );
});

test("unescapeJson gives the bytes of the string, in any chunking", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 200, size: "max" }),
      sizes,
      fc.boolean(),
      async (value, pieces, ascii) => {
        let inside = JSON.stringify(value).slice(1, -1);
        if (ascii)
          inside = inside.replaceAll(
            /[^\x20-\x7e]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          );
        const bytes = await collect(unescapeJson(streamOf(cut(Buffer.from(inside), pieces))));
        expect(bytes.equals(Buffer.from(value))).toBe(true);
      },
    ),
  );
  await expect(collect(unescapeJson(streamOf([Buffer.from("a\\x")])))).rejects.toThrow(/escape/);
  await expect(collect(unescapeJson(streamOf([Buffer.from("a\\u12g4")])))).rejects.toThrow(/hexadecimal/);
});

test("unescapeJson takes a surrogate without its partner for U+FFFD, in any chunking", async () => {
  const piece = fc.constantFrom("\\ud83d", "\\ude00", "\\u0041", "\\n", "\\\\", "u", "x");
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), sizes, async (parts, pieces) => {
      const inside = parts.join("");
      const bytes = await collect(unescapeJson(streamOf(cut(Buffer.from(inside), pieces))));
      expect(bytes.equals(Buffer.from(JSON.parse(`"${inside}"`)))).toBe(true);
    }),
  );
  await expect(collect(unescapeJson(streamOf([Buffer.from("\\ud83d\\u")])))).rejects.toThrow(/ends inside/);
});

test("JsonUnescaper stops at the closing quote, or before what is no escape, in any chunking", () => {
  const rest = fc.constantFrom('"', '"}', '","id":1}', '" : "\\n"', "\\x", "\\u12g4", '\\ud83d\\u00gg"');
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.boolean(),
      rest,
      sizes,
      (value, high, rest, pieces) => {
        const inside = JSON.stringify(value).slice(1, -1) + (high ? "\\ud83d" : "");
        const bytes = Buffer.from(inside + rest);
        const unescaper = new JsonUnescaper();
        const got: Uint8Array[] = [];
        let used = 0;
        let failed = false;
        for (const part of cut(bytes, pieces)) {
          try {
            got.push(Uint8Array.from(unescaper.write(Uint8Array.from(part))));
          } catch {
            failed = true;
          }
          used += unescaper.used;
          if (failed || unescaper.used < part.length) break;
        }
        if (rest.startsWith('"')) {
          got.push(unescaper.end());
          expect(failed).toBe(false);
          expect(used).toBe(Buffer.byteLength(inside));
          expect(Buffer.concat(got).equals(Buffer.from(JSON.parse(`"${inside}"`)))).toBe(true);
          return;
        }
        // What is left holds the rest of the string, from outside of an escape on, unless it says otherwise.
        const left = `${unescaper.insideEscape ? "\\" : ""}${bytes.subarray(used).toString("utf8")}`;
        if (failed)
          expect(plainStringBytes.findEnd(Buffer.from(`${left}"`), 0)).toBe(Buffer.byteLength(left.split('"')[0]!));
        else expect(() => unescaper.end()).toThrow(SyntaxError);
      },
    ),
    { numRuns: 500 },
  );
});

test("both ways to work on the inside of a string do the same", () => {
  const quick = createStringBytes();
  expect(quick).not.toBe(plainStringBytes);
  const part = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.string({ unit: "binary", maxLength: 40 }).map((text) => JSON.stringify(text).slice(1, -1)),
    },
    { weight: 1, arbitrary: fc.constantFrom("\\u00e4", "\\x", "\\", '"') },
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.nat(5), fc.boolean(), (parts, from, inPlace) => {
      const source = Buffer.from(parts.join(""));
      const [one, two] = [plainStringBytes, quick].map((strings) => {
        const target = inPlace ? Buffer.from(source) : Buffer.alloc(source.length);
        const copied: Copied = { from: 0, to: 0 };
        strings.copyUnescaped(inPlace ? target : source, target, copied);
        return {
          ...copied,
          text: target.subarray(0, copied.to).toString("hex"),
          end: strings.findEnd(source, Math.min(from, source.length)),
        };
      });
      expect(two).toEqual(one);
    }),
    { numRuns: 500 },
  );
  const long = Buffer.from("0123456789\\n".repeat(50_000));
  const copied: Copied = { from: 0, to: 0 };
  const target = Buffer.alloc(long.length);
  quick.copyUnescaped(long, target, copied);
  expect(target.subarray(0, copied.to).equals(Buffer.from("0123456789\n".repeat(50_000)))).toBe(true);
  for (const odd of ["", "x"]) {
    const line = Buffer.from(`${odd}${'a\\"'.repeat(100_000)}"tail`);
    expect(quick.findEnd(line, 0)).toBe(line.length - 5);
    expect(quick.findEnd(line.subarray(0, odd.length + 3 * 90_000 + 2), 0)).toBe(odd.length + 3 * 90_000 + 3);
  }
});

test("escapeJson gives the inside of a JSON string, in any chunking", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 100, size: "max" }), sizes, async (value, pieces) => {
      const inside = await collect(escapeJson(streamOf(cut(Buffer.from(value), pieces))));
      expect(JSON.parse(`"${inside.toString("utf8")}"`)).toBe(Buffer.from(value).toString("utf8"));
    }),
  );
});

test("findOpenPath says where a message goes on, and isContentText whether that is a text of a result", () => {
  const marker = "\u{10ffff}here";
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.array(fc.string()), fc.boolean(), (before, after, keys, pretty) => {
      let value: unknown = marker;
      for (const key of keys.toReversed()) {
        const others = Object.fromEntries([
          ["other", before],
          [key, value],
          ["another", after],
        ]);
        value = key.length % 2 ? [before, others] : others;
      }
      const json = JSON.stringify(value, null, pretty ? 2 : 0);
      const path = findOpenPath(json.slice(0, json.indexOf(JSON.stringify(marker))));
      let found: unknown = value;
      for (const step of path) found = (found as Record<string | number, unknown>)[step];
      expect(found).toBe(marker);
    }),
  );
  expect(isContentText(findOpenPath('{"id":1,"result":{"content":[{"type":"image","data":"x"},{"text":'))).toBe(true);
  expect(isContentText(findOpenPath('{"result":{"content":[{"resource":{"uri":"a:b","text":'))).toBe(true);
  for (const prefix of [
    '{"result":{"content":[{"data":',
    '{"result":{"text":',
    '{"params":{"content":[{"text":',
    '{"error":',
  ])
    expect(isContentText(findOpenPath(prefix))).toBe(false);
});

test("decodeBase64 gives the bytes, in any chunking", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300, size: "max" }), sizes, async (value, pieces) => {
      const encoded = Buffer.from(Buffer.from(value).toString("base64"));
      expect((await collect(decodeBase64(streamOf(cut(encoded, pieces))))).equals(Buffer.from(value))).toBe(true);
    }),
  );
});

test("LineFrames gives every line once, small ones whole and large ones streamed", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ maxLength: 50 }).map((line) => line.replaceAll(/[\r\n]/g, "")),
        { maxLength: 8 },
      ),
      sizes,
      (lines, pieces) => {
        const got: string[] = [];
        const frames = new LineFrames({
          largeBytes: 20,
          onLine: (line) => got.push(line.toString("utf8")),
          openLarge: () => {
            const parts: Buffer[] = [];
            return {
              write: (chunk) => void parts.push(Buffer.from(chunk)),
              end: () => void got.push(Buffer.concat(parts).toString("utf8")),
              abort: () => {},
            };
          },
        });
        for (const part of cut(Buffer.from(lines.map((line) => `${line}\n`).join("")), pieces)) frames.push(part);
        expect(got).toEqual(lines.filter((line) => line !== ""));
        expect(frames.finish()).toBeUndefined();
      },
    ),
  );
});

test("a spool file above its limit is refused, with the id that stands at its end, and leaves nothing", async () => {
  const folder = temporaryRoot();
  const file = new SpoolFile(folder, 1000);
  file.write(Buffer.from(`{"result":{"text":"${"x".repeat(5000)}"},"jsonrpc":"2.0","id":"last"}`));
  expect(await file.finish()).toMatchObject({
    kind: "refused",
    header: { id: "last" },
    reason: expect.stringContaining("limit of 1000 bytes"),
  });
  expect(readdirSync(folder)).toEqual([]);
});
