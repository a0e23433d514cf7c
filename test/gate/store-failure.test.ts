import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderEnvelope } from "../../src/gate/render/envelope.ts";
import { renderHint } from "../../src/gate/render/hint-text.ts";
import { renderMessage } from "../../src/gate/render/notice.ts";
import { renderWrapper } from "../../src/gate/render/wrapper.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { BoundedResult, Governed } from "../../src/gate/types.ts";
import { expectEnvelope } from "../support/envelope.ts";
import { createFailingStore, type FailingStep } from "../support/failing-store.ts";
import { temporaryFolder } from "../support/folder.ts";

const output = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n");

async function* lines(): AsyncGenerator<string> {
  for (const line of output.match(/.{1,5000}/gs) ?? []) yield line;
}

/** The result is bounded and says in every rendering what was lost and why. */
function expectLost(governed: Governed, reason: RegExp): asserts governed is BoundedResult {
  if (governed.kind !== "bounded") expect.unreachable();
  expect(governed.storage).toEqual({ lost: expect.stringMatching(reason) });
  expect(governed.size.lines).toBe(5000);
  expect(governed.preview.text).toContain("line 1\n");
  expect(renderHint(governed.hint)).toMatch(reason);
  expect(renderHint(governed.hint)).toContain("What is not shown is lost");
  expect(renderHint(governed.hint)).not.toMatch(/undefined|null|Read\(|Grep\(/);
  expect(renderMessage(governed)).toMatch(reason);
  expect(renderWrapper(governed)).toMatchObject({ artifact_path: null, lost: expect.stringMatching(reason) });
  const base = { root: "/", stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };
  const envelope = expectEnvelope(renderEnvelope(governed, base));
  expect(envelope.data.truncation).toMatchObject({ full_output_path: null, lost: expect.stringMatching(reason) });
}

describe("a store that fails", () => {
  const steps: FailingStep[] = ["create", "write", "later write", "finish"];
  it.each(steps.flatMap((step) => [[step, "reject"] as const, [step, "throw"] as const]))(
    "at %s by %s costs the artifact, not the call",
    async (step, how) => {
      const spillway = createSpillway({ store: createFailingStore(step, how), env: {}, config: false });
      expectLost(await spillway.govern(lines()), /the store is down/);
      if (step !== "later write") expectLost(await spillway.govern(output), /the store is down/);
    },
  );

  it.each(steps)("by never answering at %s is not waited for", async (step) => {
    const store = createFailingStore(step, "hang");
    const spillway = createSpillway({ store, storeTimeoutMs: 50, env: {}, config: false });
    expectLost(await spillway.govern(lines()), /the store did not answer within 0.05 s/);
  });

  it("names what did reach it", async () => {
    const spillway = createSpillway({
      store: createFailingStore("later write"),
      env: {},
      config: false,
      strategy: "head",
      maxLines: 10,
    });
    const governed = await spillway.govern(lines());
    expectLost(governed, /the store is down; only the first 5,000 bytes are in memory:tool_/);
  });
});

describe("a folder", () => {
  it("that is a file", async () => {
    const root = temporaryFolder("file");
    writeFileSync(join(root, "out"), "mine");
    const governed = await createSpillway({ root, dir: "out", env: {} }).govern(output);
    expectLost(governed, /out is a file, not a folder/);
    expect(readFileSync(join(root, "out"), "utf8")).toBe("mine");
  });

  it("that is a symbolic link", async () => {
    const root = temporaryFolder("link");
    const elsewhere = temporaryFolder("elsewhere");
    symlinkSync(elsewhere, join(root, "out"));
    expectLost(await createSpillway({ root, dir: "out", env: {} }).govern(output), /symbolic link/);
  });

  it("that is removed while it is written", async () => {
    const root = temporaryFolder("removed");
    async function* source(): AsyncGenerator<string> {
      yield output;
      rmSync(join(root, ".agents"), { recursive: true });
      yield "\nmore";
    }
    const governed = await createSpillway({ root, env: {} }).govern(source());
    if (governed.kind !== "bounded") expect.unreachable();
    expect(governed.storage).toEqual({ lost: expect.stringContaining("removed while it was written") });
    expect(governed.size.lines).toBe(5001);
  });

  it("that is removed between two outputs is made anew", async () => {
    const root = temporaryFolder("anew");
    const spillway = createSpillway({ root, env: {} });
    await spillway.govern(output);
    rmSync(join(root, ".agents"), { recursive: true });
    const governed = await spillway.govern(output);
    const path = governed.kind === "bounded" && "artifact" in governed.storage ? governed.storage.artifact.path : "";
    expect(readFileSync(path, "utf8")).toBe(output);
  });
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

describe.runIf(canMount)("a full disk (needs root)", () => {
  const disk = join(temporaryFolder("disk"), "mount");
  let mounted = false;
  beforeAll(() => {
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], { stdio: "pipe" });
      mounted = true;
    } catch (error) {
      console.warn(`Skipped: no tmpfs can be mounted here (${String(error).split("\n", 1)[0]}).`);
    }
  });
  afterAll(() => {
    if (mounted) execFileSync("umount", [disk]);
  });

  it("costs the artifact, keeps its first part with a manifest, and says both", async ({ skip }) => {
    if (!mounted) skip("no tmpfs can be mounted here");
    const spillway = createSpillway({ root: disk, env: {} });
    async function* source(): AsyncGenerator<string> {
      for (let count = 0; count < 1000; count++) yield `${output.slice(0, 5000)}\n`;
    }
    const governed = await spillway.govern(source());
    if (governed.kind !== "bounded") expect.unreachable();
    const lost = "lost" in governed.storage ? governed.storage.lost : "";
    expect(lost).toMatch(/the disk is full \(ENOSPC\); only the first [\d,]+ bytes are in .*tool_/);
    expect(governed.size.bytes).toBe(5_001_000);
    const path = lost.slice(lost.indexOf(disk));
    expect(existsSync(path)).toBe(true);
    const found = await spillway.store.find(path);
    expect(found?.manifest).toMatchObject({ complete: false, reason: expect.stringContaining("disk is full") });
    expect(await spillway.store.verify(found?.id ?? "")).toMatchObject({ ok: true });
  });
});
