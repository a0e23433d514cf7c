import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Ledger } from "../../src/gate/ledger.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { Logger, SpillwayOptions } from "../../src/gate/types.ts";
import { measure, roughTokens } from "../../src/preview/measure.ts";
import { createFailingStore } from "../support/failing-store.ts";
import { temporaryFolder } from "../support/folder.ts";

const output = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join("\n");

function open(options: SpillwayOptions = {}) {
  const root = temporaryFolder("ledger");
  const lines: { level: string; message: string; fields?: unknown }[] = [];
  const logger: Logger = {
    info: (message, fields) => lines.push({ level: "info", message, fields }),
    warn: (message, fields) => lines.push({ level: "warn", message, fields }),
  };
  return {
    root,
    lines,
    spillway: createSpillway({ root, env: {}, config: false, strategy: "head", logger, ...options }),
  };
}

const records = (root: string) =>
  readFileSync(join(root, ".agents", "stats.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("accounting", () => {
  it("goes beside the artifacts of agents where nothing can be written in its own folder", async () => {
    const { root, spillway, lines } = open({ dir: ".spillway/tool-output" });
    writeFileSync(join(root, ".agents"), "");
    await spillway.govern(output);
    await spillway.flush();
    expect(readFileSync(join(root, ".spillway", "stats.jsonl"), "utf8")).toContain('"outcome":"success"');
    expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  it("only counts what is within limits", async () => {
    const { spillway, lines } = open();
    await spillway.govern("small", { tool: "Read" });
    await spillway.govern(Buffer.from("bytes"), { tool: "Read" });
    expect(lines).toEqual([]);
    expect(spillway.stats()).toEqual({
      Read: { calls: 2, truncated: 0, bytesBefore: 10, bytesAfter: 10, tokensBefore: 4, tokensAfter: 4 },
    });
  });

  it("records a truncation as it happens where a surface asks, and the manifest how it was shown", async () => {
    const { root, spillway } = open({ maxLines: 100, surface: "proxy" });
    const governed = await spillway.govern(output, { tool: "Bash", query: "line 7" });
    if (governed.kind !== "bounded" || !("artifact" in governed.storage)) expect.unreachable();
    const { id } = governed.storage.artifact;
    await expect.poll(() => records(root)).toHaveLength(1);
    expect(records(root)[0]).toMatchObject({ surface: "proxy", tool: "Bash", id, outcome: "success" });
    const found = await spillway.store.find(id);
    expect(found?.manifest?.shown).toMatchObject({
      strategy: "head",
      maxLines: 100,
      query: "line 7",
      surface: "proxy",
    });
    await spillway.flush();
    expect(records(root)).toHaveLength(2);
    expect(records(root)[1]).toMatchObject({ counters: { Bash: { calls: 1, truncated: 1 } } });
  });

  it("waits for flush in a program of its own", async () => {
    const { root, spillway } = open({ maxLines: 100 });
    await mkdir(join(root, ".agents"), { recursive: true });
    await spillway.govern(output, { tool: "Bash" });
    expect(() => records(root)).toThrow("ENOENT");
    await spillway.flush();
    expect(records(root)).toHaveLength(2);
  });

  it("logs each truncation: tool, before and after, percent", async () => {
    const { spillway, lines } = open({ maxLines: 100 });
    const governed = await spillway.govern(output, { tool: "Bash" });
    if (governed.kind !== "bounded") expect.unreachable();
    const shown = `${governed.preview.text}\n\n${governed.notice}`;
    const after = { lines: 100, bytes: Buffer.byteLength(shown), tokens: roughTokens(measure(shown)) };
    const before = { lines: 3000, bytes: 28_892, tokens: 8026 };
    expect(lines).toEqual([
      {
        level: "info",
        message: `Bash: output truncated, 28,892 -> ${after.bytes.toLocaleString("en-US")} bytes (${(100 * (1 - after.bytes / 28_892)).toFixed(1)} % less)`,
        fields: { tool: "Bash", strategy: "head", before, after, artifact: expect.stringContaining("_Bash_") },
      },
    ]);
  });

  it("tells the truncation rate per tool, whatever the tool is called", async () => {
    const { spillway } = open({ maxLines: 100 });
    for (const tool of ["Bash", "constructor", "__proto__"]) {
      await spillway.govern(output, { tool });
      await spillway.govern("small", { tool });
      expect(spillway.stats()[tool]).toMatchObject({ calls: 2, truncated: 1 });
    }
  });

  it("writes records and counters to stats.jsonl, private, each once", async () => {
    const { root, spillway } = open({ maxLines: 100, surface: "agent" });
    await spillway.flush();
    await spillway.govern(output, { tool: "Bash", callId: "call_1" });
    await spillway.flush();
    await spillway.flush();
    await spillway.govern("small", { tool: "Read" });
    await spillway.flush();
    const [first, second, third, ...rest] = records(root);
    expect(first).toMatchObject({ schema: 1, surface: "agent", tool: "Bash", callId: "call_1", strategy: "head" });
    expect(first).toMatchObject({ before: { lines: 3000 }, after: { lines: 100 }, artifact: expect.any(String) });
    expect(new Date(first.at).getTime()).toBeGreaterThan(0);
    expect(second).toMatchObject({ schema: 1, surface: "agent", counters: { Bash: { calls: 1, truncated: 1 } } });
    expect(Object.keys(third.counters)).toEqual(["Read"]);
    expect(rest).toEqual([]);
    expect(statSync(join(root, ".agents", "stats.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("records what was lost", async () => {
    const { root, spillway } = open({ store: createFailingStore("create") });
    await mkdir(join(root, ".agents"));
    await spillway.govern(output);
    await spillway.flush();
    expect(records(root)[0]).toMatchObject({ tool: "tool", lost: "the store is down" });
    expect(records(root)[0]).not.toHaveProperty("artifact");
  });

  it("warns and goes on when it cannot be written", async () => {
    const { root, spillway, lines } = open();
    writeFileSync(join(root, ".agents"), "a file");
    await spillway.govern("small");
    await spillway.flush();
    expect(lines).toMatchObject([{ level: "warn", message: expect.stringContaining("stats.jsonl") }]);
  });

  it("does not write through a symbolic link", async () => {
    const { root, spillway, lines } = open();
    const victim = join(root, "victim");
    writeFileSync(victim, "mine");
    await mkdir(join(root, ".agents"));
    symlinkSync(victim, join(root, ".agents", "stats.jsonl"));
    await spillway.govern("small");
    await spillway.flush();
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect(lines).toMatchObject([{ level: "warn" }]);
  });

  it("stays out of commits without hiding what others keep in the folder", async () => {
    const { root, spillway } = open();
    await spillway.govern(output);
    await spillway.flush();
    expect(readFileSync(join(root, ".agents", ".gitignore"), "utf8")).toBe("/.gitignore\n/stats.jsonl\n");
    writeFileSync(join(root, ".agents", ".gitignore"), "mine\n");
    await spillway.govern(output);
    await spillway.flush();
    expect(readFileSync(join(root, ".agents", ".gitignore"), "utf8")).toBe("mine\n");
  });

  it("counts a result that was bounded elsewhere", async () => {
    const { spillway } = open();
    const other = open({ maxLines: 10 }).spillway;
    spillway.record(await other.govern(output, { tool: "Task" }));
    expect(spillway.stats().Task).toMatchObject({ calls: 1, truncated: 1, bytesBefore: 28_892 });
  });
});

describe("a sink of records that fails at once", () => {
  it("is warned of and costs no result", async () => {
    const addRecords = () => {
      throw "not connected";
    };
    const { spillway, lines } = open({ surface: "test", records: { addRecords } });
    expect((await spillway.govern(output)).kind).toBe("bounded");
    await spillway.flush();
    expect(lines).toContainEqual({ level: "warn", message: "Statistics could not be sent: not connected" });
  });
});

describe("a program that never asks for its records", () => {
  it("holds a bounded number of them, and counts all", async () => {
    const { spillway, root } = open();
    const result = await spillway.govern(output, { tool: "Bash" });
    const sent: object[] = [];
    const records = { addRecords: async (_: string, some: readonly object[]) => void sent.push(...some) };
    const ledger = new Ledger({ root, surface: undefined, logger: undefined, records });
    for (let at = 0; at < 30_000; at++) ledger.add(result);
    await ledger.flush();
    expect(ledger.counters.Bash?.truncated).toBe(30_000);
    expect(sent.length).toBeLessThanOrEqual(20_001);
    expect(sent.length).toBeGreaterThan(10_000);
  });
});
