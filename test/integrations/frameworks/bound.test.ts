import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { boundTools, readerTools } from "../../../src/integrations/frameworks/ai-sdk.ts";
import { boundLeaves, createBound } from "../../../src/integrations/frameworks/bound.ts";
import { temporaryFolder } from "../../support/folder.ts";

const LONG = Array.from({ length: 5000 }, (_, at) => `row ${at} of the answer`).join("\n");

function gateIn(root: string) {
  return createSpillway({ root, config: false, env: {}, maxBytes: 4000 });
}

const filesIn = (root: string) =>
  readdirSync(join(root, ".agents/tool-output")).filter((name) => name.startsWith("tool_"));

describe("bound()", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("gives a value within the limits back as it is", async () => {
    const bound = createBound({ spillway: gateIn(temporaryFolder("bound")) }, "test()");
    const value = { rows: [1, 2, 3] };
    expect(await bound({ tool: "query", callId: "c1" }, value)).toBe(value);
    expect(await bound({ tool: "query", callId: "c2" }, "short")).toBe("short");
    expect(await bound({ tool: "query", callId: "c3" }, undefined)).toBe(undefined);
  });

  it("gives the same text for the same call, and saves its output once", async () => {
    const root = temporaryFolder("bound");
    const spillway = gateIn(root);
    const bound = createBound({ spillway }, "test()");
    const first = await bound({ tool: "query", callId: "c1", query: "row 4711" }, LONG);
    expect(Buffer.byteLength(first)).toBeLessThanOrEqual(4000);
    expect(first).toContain("row 4711 of the answer");
    // Another question comes up later; the text stays.
    expect(await bound({ tool: "query", callId: "c1", query: "row 12" }, LONG)).toBe(first);
    expect(await createBound({ spillway }, "test()")({ tool: "query", callId: "c1" }, LONG)).toBe(first);
    expect(await createBound({ spillway: gateIn(root) }, "test()")({ tool: "query", callId: "c1" }, LONG)).toBe(first);
    expect(filesIn(root).length).toBe(1);
    expect(await bound({ tool: "query", callId: "c1" }, `${LONG}\nmore`)).not.toBe(first);
    expect(filesIn(root).length).toBe(2);
  });

  it("tells a failure, by its first line", async () => {
    const bound = createBound({ spillway: gateIn(temporaryFolder("bound")) }, "test()");
    const text = await bound({ tool: "query", callId: "c1", failed: true }, `no such table\n${LONG}`);
    expect(text).toContain("The tool call failed: no such table. Output truncated");
  });

  it("names the reader only where there is one", async () => {
    const spillway = gateIn(temporaryFolder("bound"));
    const bound = createBound({ spillway }, "test()");
    expect(await bound({ tool: "query", callId: "c1" }, LONG)).not.toContain("spillway_read");
    expect(await bound({ tool: "query", callId: "c2", tools: ["query", "spillway_read"] }, LONG)).toContain(
      "spillway_read(id=",
    );
    readerTools({ spillway });
    expect(await bound({ tool: "query", callId: "c3" }, LONG)).toContain("spillway_read(id=");
    expect(await bound({ tool: "query", callId: "c4", tools: ["query"] }, LONG)).not.toContain("spillway_read");
    expect(await createBound({ spillway, tools: ["Bash"] }, "test()")({ tool: "query", callId: "c5" }, LONG)).toContain(
      "sed -n",
    );
  });

  it("leaves everything as it is when it is switched off", async () => {
    const bound = createBound({ spillway: gateIn(temporaryFolder("bound")) }, "test()");
    vi.stubEnv("SPILLWAY", "off");
    expect(await bound({ tool: "query", callId: "c1" }, LONG)).toBe(LONG);
  });

  it("refuses options that it does not know", () => {
    expect(() => boundTools({}, { maxByte: 1 } as never)).toThrow(
      'boundTools() has no option "maxByte". Did you mean maxBytes?',
    );
    expect(() => readerTools({ gate: 1 } as never)).toThrow("readerTools() has no option");
  });

  it("keeps the shape of a value whose texts it bounds", async () => {
    const bound = createBound({ spillway: gateIn(temporaryFolder("bound")) }, "test()");
    const shown = await boundLeaves(
      bound,
      { tool: "shell", callId: "c1" },
      { output: [{ stdout: LONG, code: 3 }], ok: false },
    );
    expect(shown).toMatchObject({ output: [{ code: 3 }], ok: false });
    expect(shown.output[0]!.stdout.length).toBeLessThanOrEqual(4000);
  });
});

describe("the reader", () => {
  it("finds, searches and reads, and tells what is wrong with a call", async () => {
    const spillway = gateIn(temporaryFolder("reader"));
    const read = readerTools({ spillway }).spillway_read.execute;
    const shown = await createBound({ spillway }, "test()")({ tool: "query", callId: "c1" }, LONG);
    const id = /id="([0-9a-z]+)"/.exec(shown)?.[1] ?? "";
    expect(await read({ id, pattern: "row 4711 " })).toContain("4712:row 4711 of the answer");
    expect(await read({ id, query: "row 4711" })).toContain("row 4711 of the answer");
    expect(await read({ id, offset: 100, limit: 1 })).toContain("row 99 of the answer\n[lines 100-100 of 5000.");
    expect(await read({ id: "c1", offset: 100, limit: 1 })).toContain("row 99");
    expect(await read({ id: "gone" })).toContain('There is no artifact "gone"');
    expect(await read({ id, offset: 0 })).toContain("offset must be a whole number from 1 on");
  });
});
