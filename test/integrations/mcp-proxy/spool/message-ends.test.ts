import fc from "fast-check";
import { expect, test } from "vitest";
import { MessageEnds } from "../../../../src/integrations/mcp-proxy/spool/message-header.ts";

const seen = (json: string, pieceBytes = 1000): MessageEnds => {
  const ends = new MessageEnds();
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += pieceBytes) ends.write(bytes.subarray(at, at + pieceBytes));
  return ends;
};

const id = fc.oneof(fc.integer(), fc.string({ maxLength: 30 }));
const result = fc.jsonValue({ maxDepth: 3 }).map((value) => ({ text: "x".repeat(2000), value, id: "inner" }));

test("an id at the beginning is seen at once, in any chunking", () => {
  fc.assert(
    fc.property(id, result, fc.integer({ min: 1, max: 900 }), (id, result, pieceBytes) => {
      for (const message of [
        { jsonrpc: "2.0", id, result },
        { id, jsonrpc: "2.0", result },
      ])
        expect(seen(JSON.stringify(message), pieceBytes).readHeader(false)).toMatchObject({ id, method: undefined });
    }),
  );
});

test("an id at the end is seen when the message is complete", () => {
  fc.assert(
    fc.property(id, result, fc.integer({ min: 1, max: 900 }), (id, result, pieceBytes) => {
      for (const message of [
        { result, jsonrpc: "2.0", id },
        { jsonrpc: "2.0", result, id },
        { result, id, jsonrpc: "2.0" },
      ]) {
        const ends = seen(JSON.stringify(message), pieceBytes);
        expect(ends.readHeader(false).id).toBeUndefined();
        expect(ends.readHeader(true).id).toBe(id);
      }
    }),
  );
});

test("an id in the middle, or of something else, is not taken for it", () => {
  fc.assert(
    fc.property(id, result, (id, result) => {
      for (const message of [
        { result, id, jsonrpc: "2.0", extra: { id: 7 } },
        { result: { ...result, last: { id: 7 } } },
        { method: "m", params: { id: 7 } },
        { text: '"id":7', more: 'x","id":7}' },
      ])
        expect(seen(JSON.stringify(message)).readHeader(true).id).toBeUndefined();
    }),
  );
});

test("a method at the beginning is seen, before or after the id", () => {
  fc.assert(
    fc.property(id, result, fc.string(), (id, params, method) => {
      for (const message of [
        { method, params, jsonrpc: "2.0", id },
        { jsonrpc: "2.0", id, method, params },
        { jsonrpc: "2.0", method, params, id },
      ])
        expect(seen(JSON.stringify(message)).readHeader(true)).toMatchObject({ id, method });
    }),
  );
});
