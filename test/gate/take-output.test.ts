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
