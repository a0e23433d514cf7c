import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { builtPackage, PROJECT } from "../../support/build.ts";
import { HOSTILE, proxyArgs, RawPeer, temporaryRoot } from "../../support/mcp-peers.ts";

const peers: RawPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function open(args: readonly string[], state: string, env: Record<string, string> = {}): Promise<RawPeer> {
  const peer = new RawPeer(args, { XDG_STATE_HOME: state, ...env });
  peers.push(peer);
  await peer.initialize();
  return peer;
}

const filesBelow = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
const spooled = (state: string) => filesBelow(state).filter((name) => name.endsWith(".json"));
const artifacts = (root: string) =>
  filesBelow(join(root, ".agents", "tool-output")).filter((name) => name.startsWith("tool_"));

describe("a call that is cancelled while its answer comes", () => {
  test("leaves neither a spool file nor an artifact, and the next call is served", async () => {
    const [root, state] = [temporaryRoot(), temporaryRoot()];
    const peer = await open(await proxyArgs(root, [HOSTILE]), state);
    void peer.request("tools/call", { name: "half_huge", arguments: { bytes: 20_000_000 } }, "half");
    await vi.waitFor(() => expect(artifacts(root)).toHaveLength(1), 20_000);
    expect(spooled(state)).toHaveLength(1);
    peer.send({ method: "notifications/cancelled", params: { requestId: "half" } });
    expect((await peer.call("small")).result.content[0].text).toBe("small");
    await vi.waitFor(() => expect([...spooled(state), ...artifacts(root)]).toEqual([]), 20_000);
    expect(peer.received.some(({ id }) => id === "half")).toBe(false);
  });
});

describe("a server that dies in the middle of a huge answer", () => {
  test("leaves neither a spool file nor an artifact", async () => {
    const [root, state] = [temporaryRoot(), temporaryRoot()];
    const peer = await open(await proxyArgs(root, [HOSTILE]), state);
    const pid = Number((await peer.call("pid")).result.content[0].text);
    const half = peer.call("half_huge", { bytes: 20_000_000 });
    await vi.waitFor(() => expect(artifacts(root)).toHaveLength(1), 20_000);
    process.kill(pid, "SIGKILL");
    expect((await half).result).toMatchObject({ isError: true });
    await vi.waitFor(() => expect([...spooled(state), ...artifacts(root)]).toEqual([]), 20_000);
  });
});

describe("a proxy that is killed", () => {
  const HOST = hostname().replaceAll(/[^A-Za-z0-9.]/g, "_");
  const spoolsOf = (state: string): string => join(state, "spillway", "spool");

  /** The id of a process that a proxy used, which is gone by now. */
  async function killedProxy(state: string): Promise<number> {
    const killed = await open(await proxyArgs(temporaryRoot(), [HOSTILE]), state);
    void killed.call("half_huge", { bytes: 20_000_000 });
    await vi.waitFor(() => expect(spooled(state)).toHaveLength(1), 20_000);
    killed.child.kill("SIGKILL");
    await vi.waitFor(() => expect(killed.child.signalCode).toBe("SIGKILL"), 20_000);
    peers.splice(peers.indexOf(killed), 1);
    return killed.child.pid!;
  }

  test("leaves its spool folder to be removed by the next one; those of living proxies and other hosts stay", async () => {
    const state = temporaryRoot();
    const pid = await killedProxy(state);
    const elsewhere = `other.host-${pid}-abcdef`;
    mkdirSync(join(spoolsOf(state), elsewhere), { mode: 0o700 });
    mkdirSync(join(spoolsOf(state), "something-else"));

    await open(await proxyArgs(temporaryRoot(), [HOSTILE]), state);
    expect(spooled(state)).toEqual([]);
    const living = readdirSync(spoolsOf(state)).filter((name) => name.startsWith(`${HOST}-`));
    expect(living).toHaveLength(1);
    expect(statSync(join(spoolsOf(state), living[0]!)).mode & 0o777).toBe(0o700);
    await open(await proxyArgs(temporaryRoot(), [HOSTILE]), state);
    expect(readdirSync(spoolsOf(state))).toEqual(expect.arrayContaining([...living, elsewhere, "something-else"]));
    await Promise.all(peers.splice(0).map((peer) => peer.close()));
    expect(readdirSync(spoolsOf(state)).sort()).toEqual([elsewhere, "something-else"].sort());
  });

  test("a name planted in the shared temporary folder makes the next one remove nothing there", async () => {
    const [state, shared, victim] = [temporaryRoot(), temporaryRoot(), temporaryRoot()];
    chmodSync(shared, 0o1777);
    const pid = await killedProxy(state);
    writeFileSync(join(victim, "precious"), "x");
    mkdirSync(join(shared, `spillway-spool-${HOST}-${pid}-abcdef`));
    writeFileSync(join(shared, `spillway-spool-${HOST}-${pid}-abcdef`, "precious"), "x");
    symlinkSync(victim, join(shared, `spillway-spool-${HOST}-${pid}-ghijkl`));
    await open(await proxyArgs(temporaryRoot(), [HOSTILE]), state, { TMPDIR: shared });
    expect(existsSync(join(victim, "precious"))).toBe(true);
    expect(readdirSync(shared)).toHaveLength(2);
    expect(filesBelow(shared)).toContain(join(`spillway-spool-${HOST}-${pid}-abcdef`, "precious"));
  });

  test("a link among the leftovers is not followed", async () => {
    const [state, victim] = [temporaryRoot(), temporaryRoot()];
    const pid = await killedProxy(state);
    writeFileSync(join(victim, "precious"), "x");
    symlinkSync(victim, join(spoolsOf(state), `${HOST}-${pid}-link`));
    mkdirSync(join(spoolsOf(state), `${HOST}-${pid}-folder`), { mode: 0o700 });
    symlinkSync(victim, join(spoolsOf(state), `${HOST}-${pid}-folder`, "link"));
    await open(await proxyArgs(temporaryRoot(), [HOSTILE]), state);
    expect(existsSync(join(victim, "precious"))).toBe(true);
    expect(existsSync(join(spoolsOf(state), `${HOST}-${pid}-folder`))).toBe(false);
  });

  function planted(change: (base: string) => void): (base: string) => void {
    return (base) => {
      mkdirSync(base);
      change(base);
    };
  }
  test.each<[string, (base: string) => void]>([
    ["is a link", (base: string) => symlinkSync(temporaryRoot(), base)],
    ["can be written by others", planted((base) => chmodSync(base, 0o777))],
    ["is a file", (base: string) => writeFileSync(base, "")],
    ["is another user's", planted((base) => process.getuid?.() === 0 && chownSync(base, 65_534, 65_534))],
  ])("a spool folder that %s is not used; a private one in the temporary folder is", async (_how, plant) => {
    const [state, shared] = [temporaryRoot(), temporaryRoot()];
    mkdirSync(join(state, "spillway"));
    plant(spoolsOf(state));
    const peer = await open(await proxyArgs(temporaryRoot(), [HOSTILE]), state, { TMPDIR: shared });
    const [made] = readdirSync(shared);
    expect(made).toMatch(/^spillway-spool-/);
    expect(statSync(join(shared, made!)).mode & 0o777).toBe(0o700);
    expect((await peer.call("huge", { bytes: 5_000_000 })).result.content[0].text).toContain("omitted");
    await Promise.all(peers.splice(0).map((one) => one.close()));
    expect(readdirSync(shared)).toEqual([]);
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
      const [root, state] = [temporaryRoot(), temporaryRoot()];
      const bin = await breakWorker("spool-worker.mjs", source);
      const peer = await open([bin, "proxy", "--root", root, "--", process.execPath, HOSTILE], state);
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
      const [root, state] = [temporaryRoot(), temporaryRoot()];
      const bin = await breakWorker("preview-worker.mjs", source);
      const peer = await open([bin, "proxy", "--root", root, "--", process.execPath, HOSTILE], state);
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
