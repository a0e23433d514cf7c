import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { Governed } from "../../src/gate/types.ts";
import { temporaryFolder } from "../support/folder.ts";

const LONG = Array.from({ length: 4000 }, (_, at) => `row ${at}`).join("\n");
const gate = () => createSpillway({ root: temporaryFolder("take"), config: false, env: {}, maxBytes: 4000 });

function savedIn(result: Governed): { readonly path: string; readonly text: string } {
  if (result.kind !== "bounded" || !("artifact" in result.storage)) throw new Error("not saved");
  const { path } = result.storage.artifact;
  return { path, text: readFileSync(path, "utf8") };
}

describe("govern() takes", () => {
  it("a Response: its body, its type, and a status that is a failure", async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/gone" ? 404 : 200, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify(LONG.split("\n")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await gate().govern(await fetch(url), { tool: "fetch" });
    expect(savedIn(found).path.endsWith(".json")).toBe(true);
    expect(JSON.parse(savedIn(found).text)).toEqual(LONG.split("\n"));
    expect(found.outcome.kind).toBe("success");
    const gone = await gate().govern(await fetch(`${url}/gone`));
    expect(gone.outcome).toEqual({ kind: "failure", message: "the server answered 404 Not Found" });
    const read = await fetch(url);
    await read.text();
    await expect(gate().govern(read)).rejects.toThrow("read already");
    expect(await gate().govern(new Response(null, { status: 204 }))).toMatchObject({ kind: "whole", text: "" });
    server.close();
  });

  it("a Blob, a web stream, an ArrayBuffer", async () => {
    const page = await gate().govern(new Blob([`<html>${LONG}`], { type: "text/html" }));
    expect(savedIn(page)).toMatchObject({ text: `<html>${LONG}`, path: expect.stringMatching(/\.html$/) });
    expect(savedIn(await gate().govern(new Blob([LONG]).stream())).text).toBe(LONG);
    expect(await gate().govern(new TextEncoder().encode("few").buffer)).toMatchObject({ text: "few" });
  });

  it("an Error as a failure, with its stack, causes and fields", async () => {
    const cause = Object.assign(new Error("socket closed"), { code: "ECONNRESET" });
    const error = new TypeError("cannot fetch", { cause });
    const result = await gate().govern(error);
    expect(result.outcome).toEqual({ kind: "failure", message: "cannot fetch" });
    if (result.kind !== "whole") throw new Error("not whole");
    expect(result.text).toContain("TypeError: cannot fetch\n    at ");
    expect(result.text).toContain("[cause]: Error: socket closed");
    expect(result.text).toContain("ECONNRESET");
    expect((await gate().govern(new Error(LONG))).kind).toBe("bounded");
    const known = await gate().govern(error, { outcome: { kind: "timeout", message: "too slow" } });
    expect(known.outcome.kind).toBe("timeout");
  });

  it("plain objects and arrays, bounded by their items", async () => {
    const rows = LONG.split("\n").map((text, id) => ({ id, text }));
    const list = await gate().govern(rows);
    expect(list).toMatchObject({ kind: "bounded", structured: { items: { total: 4000 } } });
    expect(JSON.parse(savedIn(list).text)).toEqual(rows);
    const fields = await gate().govern({ value: 1, unit: "s" });
    expect(fields).toMatchObject({ kind: "whole", value: { value: 1, unit: "s" } });
    expect(await gate().govern({ value: 7 })).toMatchObject({ kind: "whole", value: 7, text: "7" });
    expect(await gate().govern([])).toMatchObject({ kind: "whole", text: "[]" });
    expect(await gate().govern({})).toMatchObject({ kind: "whole", text: "{}" });
  });

  it("nothing that nobody could mean, and says what it takes", async () => {
    for (const output of [undefined, null, 7, true, new Map(), new Date(), () => 1])
      await expect(gate().govern(output as never)).rejects.toThrow("or { value } for anything else; not ");
  });
});

describe("keep() takes", () => {
  it("the same", async () => {
    const { storage } = await gate().keep(new Blob(["{}"], { type: "application/json" }));
    expect("artifact" in storage && storage.artifact.name.endsWith(".json")).toBe(true);
  });
});

describe("govern() of values of which JSON shows nothing", () => {
  const cause = new RangeError("too far");
  const error = Object.assign(new Error("boom", { cause }), { code: "E_BOOM" });
  const self = new Map<string, unknown>([["a", 1]]);
  self.set("self", self);

  it.each<[string, unknown, unknown]>([
    ["a Map", new Map([["a", new Set([1, 2])]]), { a: [1, 2] }],
    ["a Map of other keys", new Map([[1, "one"]]), [[1, "one"]]],
    ["a Map that holds itself", self, { a: 1, self: "[circular]" }],
    [
      "an error within a result",
      { ok: false, error },
      {
        ok: false,
        error: { name: "Error", message: "boom", code: "E_BOOM", cause: { name: "RangeError", message: "too far" } },
      },
    ],
  ])("shows what %s holds", async (_, value, shown) => {
    const result = await gate().govern({ value });
    if (result.kind !== "whole") throw new Error("not whole");
    expect(JSON.parse(result.text)).toEqual(shown);
  });

  it("takes secrets out of them too", async () => {
    const spillway = createSpillway({ root: temporaryFolder("take"), config: false, env: {}, redact: true });
    const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT".repeat(2).slice(0, 36)}`;
    const ring: Record<string, unknown> = { tokens: new Map([["a", secret]]) };
    ring.ring = ring;
    for (const value of [{ tokens: new Set([secret]) }, { error: new Error(`no access with ${secret}`) }, ring]) {
      const result = await spillway.govern({ value });
      expect(result.redacted).toEqual({ "github-token": 1 });
      expect(JSON.stringify(result.kind === "whole" ? result.text : result.preview)).not.toContain(secret);
    }
  });
});

describe("govern() never rejects for what a tool gave", () => {
  it("a type that every object has a field of", async () => {
    const response = new Response("text", { headers: { "content-type": "constructor" } });
    expect(await gate().govern(response)).toMatchObject({ kind: "whole", text: "text" });
  });

  it("an error whose message is no text", async () => {
    const error = Object.assign(new Error(), { message: 404 });
    expect((await gate().govern(error)).outcome).toEqual({ kind: "failure", message: "404" });
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["an object without a prototype", Object.create(null)],
  ])("a source that throws %s", async (_, thrown) => {
    async function* source() {
      yield "first";
      throw thrown;
    }
    const message = "without saying why";
    expect((await gate().govern(source())).outcome).toMatchObject({ kind: "failure", message });
  });

  it.each([undefined, new AbortController().signal])(
    "and closes a source that gives what is no text (%s)",
    async (signal) => {
      let closed = false;
      async function* source() {
        try {
          yield 5 as never;
        } finally {
          closed = true;
        }
      }
      expect((await gate().govern(source(), { signal })).outcome.kind).toBe("failure");
      expect(closed).toBe(true);
    },
  );
});
