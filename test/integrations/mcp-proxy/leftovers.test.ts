import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { builtPackage, PROJECT } from "../../support/build.ts";
import { HOSTILE, proxyArgs, RawPeer, temporaryRoot } from "../../support/mcp-peers.ts";

const peers: RawPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function open(args: readonly string[], temporary: string): Promise<RawPeer> {
  const peer = new RawPeer(args, { TMPDIR: temporary });
  peers.push(peer);
  await peer.initialize();
  return peer;
}

const filesBelow = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
const spooled = (temporary: string) => filesBelow(temporary).filter((name) => name.endsWith(".json"));
const artifacts = (root: string) =>
  filesBelow(join(root, ".agents", "tool-output")).filter((name) => name.startsWith("tool_"));

describe("a call that is cancelled while its answer comes", () => {
  test("leaves neither a spool file nor an artifact, and the next call is served", async () => {
    const [root, temporary] = [temporaryRoot(), temporaryRoot()];
    const peer = await open(await proxyArgs(root, [HOSTILE]), temporary);
    void peer.request("tools/call", { name: "half_huge", arguments: { bytes: 20_000_000 } }, "half");
    await vi.waitFor(() => expect(artifacts(root)).toHaveLength(1), 20_000);
    expect(spooled(temporary)).toHaveLength(1);
    peer.send({ method: "notifications/cancelled", params: { requestId: "half" } });
    expect((await peer.call("small")).result.content[0].text).toBe("small");
    await vi.waitFor(() => expect([...spooled(temporary), ...artifacts(root)]).toEqual([]), 20_000);
    expect(peer.received.some(({ id }) => id === "half")).toBe(false);
  });
});

describe("a server that dies in the middle of a huge answer", () => {
  test("leaves neither a spool file nor an artifact", async () => {
    const [root, temporary] = [temporaryRoot(), temporaryRoot()];
    const peer = await open(await proxyArgs(root, [HOSTILE]), temporary);
    const pid = Number((await peer.call("pid")).result.content[0].text);
    const half = peer.call("half_huge", { bytes: 20_000_000 });
    await vi.waitFor(() => expect(artifacts(root)).toHaveLength(1), 20_000);
    process.kill(pid, "SIGKILL");
    expect((await half).result).toMatchObject({ isError: true });
    await vi.waitFor(() => expect([...spooled(temporary), ...artifacts(root)]).toEqual([]), 20_000);
  });
});

describe("a proxy that is killed", () => {
  test("leaves its spool folder to be removed by the next one; those of living proxies and others' stay", async () => {
    const temporary = temporaryRoot();
    const killed = await open(await proxyArgs(temporaryRoot(), [HOSTILE]), temporary);
    void killed.call("half_huge", { bytes: 20_000_000 });
    await vi.waitFor(() => expect(spooled(temporary)).toHaveLength(1), 20_000);
    killed.child.kill("SIGKILL");
    await vi.waitFor(() => expect(killed.child.signalCode).toBe("SIGKILL"), 20_000);
    peers.splice(peers.indexOf(killed), 1);
    const elsewhere = `spillway-spool-other.host-${killed.child.pid}-abcdef`;
    mkdirSync(join(temporary, elsewhere));
    mkdirSync(join(temporary, "spillway-of-somebody"));

    await open(await proxyArgs(temporaryRoot(), [HOSTILE]), temporary);
    expect(spooled(temporary)).toEqual([]);
    const living = readdirSync(temporary).filter((name) => name !== elsewhere && name.startsWith("spillway-spool-"));
    expect(living).toHaveLength(1);
    await open(await proxyArgs(temporaryRoot(), [HOSTILE]), temporary);
    expect(readdirSync(temporary)).toEqual(expect.arrayContaining([...living, elsewhere, "spillway-of-somebody"]));
    await Promise.all(peers.splice(0).map((peer) => peer.close()));
    expect(readdirSync(temporary).sort()).toEqual([elsewhere, "spillway-of-somebody"].sort());
  });
});

describe("a thread that dies", () => {
  /** The built package with another file in place of one of its workers. */
  async function breakWorker(name: string, source: string): Promise<string> {
    const { folder } = await builtPackage();
    const broken = temporaryRoot();
    for (const part of ["bin", "dist", "package.json"])
      cpSync(join(folder, part), join(broken, part), { recursive: true });
    symlinkSync(join(PROJECT, "node_modules"), join(broken, "node_modules"));
    writeFileSync(join(broken, "dist", name), source);
    return join(broken, "bin", "spillway.mjs");
  }
  const dyingOn = (deadly: string, death: string): string => `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ op, slot, chunks, buffer }) => {
      if (op === "${deadly}") ${death};
      if (chunks) parentPort.postMessage({ op: "written", slot, bytes: Buffer.concat(chunks).length });
      if (buffer) parentPort.postMessage({ op: "consumed", slot, buffer }, [buffer]);
    });`;
  const RUN_OUT_OF_MEMORY = `
    import { Worker } from "node:worker_threads";
    const endless = "const held = []; for (;;) held.push(new Array(1000).fill(held.length));";
    const inner = new Worker(endless, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } });
    inner.on("error", (error) => { throw error; });`;

  test.each([
    ["throws", dyingOn("write", 'throw new Error("no luck today")'), "no luck today"],
    ["ends", dyingOn("write", "process.exit(1)"), "its worker ended"],
    ["ends when it is asked for the result", dyingOn("end", "process.exit(1)"), "its worker ended"],
    ["is out of memory", RUN_OUT_OF_MEMORY, "memory"],
  ])(
    "with the message that it holds: the call gets an error, the proxy lives on (it %s)",
    async (_how, source, reason) => {
      const [root, temporary] = [temporaryRoot(), temporaryRoot()];
      const bin = await breakWorker("spool-worker.mjs", source);
      const peer = await open([bin, "proxy", "--root", root, "--", process.execPath, HOSTILE], temporary);
      for (const tool of ["huge", "id_last_huge"]) {
        const answer = await peer.call(tool, { bytes: 5_000_000 });
        expect(answer.error.message).toMatch(/answer was lost: .*The call can be repeated/);
        expect(answer.error.message).toContain(reason);
      }
      expect((await peer.call("small")).result.content[0].text).toBe("small");
      expect(peer.stderr).toContain("a large message was lost");
      expect(await peer.close()).toBe(0);
    },
  );

  test("a request of the client that it held gets the error", async () => {
    const bin = await breakWorker("spool-worker.mjs", dyingOn("write", "process.exit(1)"));
    const peer = await open(
      [bin, "proxy", "--root", temporaryRoot(), "--", process.execPath, HOSTILE],
      temporaryRoot(),
    );
    const refused = await peer.call("echo", { value: "x".repeat(2_000_000) });
    expect(refused.error.message).toContain("message was refused: its worker ended");
    expect((await peer.call("small")).result.content[0].text).toBe("small");
  });

  test.each(["huge", "id_last_huge"])("only the call whose answer it held gets the error: %s", async (tool) => {
    const bin = await breakWorker("spool-worker.mjs", dyingOn("write", "process.exit(1)"));
    const peer = await open(
      [bin, "proxy", "--root", temporaryRoot(), "--", process.execPath, HOSTILE],
      temporaryRoot(),
    );
    void peer.request("tools/call", { name: "hang" }, "waiting");
    const lost = await peer.call(tool, { bytes: 5_000_000 });
    expect(lost.error.message).toContain("answer was lost");
    expect((await peer.call("small")).result.content[0].text).toBe("small");
    expect(peer.received.filter(({ id }) => id === "waiting")).toEqual([]);
  });

  test.each([
    ["throws", dyingOn("write", 'throw new Error("no luck today")')],
    ["ends when it is asked for the preview", dyingOn("finish", "process.exit(1)")],
  ])(
    "with the preview that it makes: the beginning is shown instead, the text is kept (it %s)",
    async (_how, source) => {
      const [root, temporary] = [temporaryRoot(), temporaryRoot()];
      const bin = await breakWorker("preview-worker.mjs", source);
      const peer = await open([bin, "proxy", "--root", root, "--", process.execPath, HOSTILE], temporary);
      for (let turn = 0; turn < 2; turn += 1) {
        const { result } = await peer.call("huge", { bytes: 5_000_000 });
        const { full_output_path: path, kept_bytes: kept } = result._meta["spillway/truncation"];
        const whole = readFileSync(join(root, path), "utf8");
        expect(whole).toHaveLength(5_000_000);
        expect(kept).toBeGreaterThan(10_000);
        expect(result.content[0].text.slice(0, 10_000)).toBe(whole.slice(0, 10_000));
      }
    },
  );
});
