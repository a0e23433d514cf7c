import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { builtPackage, PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MEGABYTES = process.env.SPILLWAY_RUNTIMES_LONG === "1" ? 300 : 30;
const RUNTIMES = [
  { name: "Bun", argv: [join(HERE, "node_modules/.bin/bun")] },
  { name: "Deno", argv: [join(HERE, "node_modules/.bin/deno"), "run", "-A", "--no-lock", "--no-prompt"] },
].filter(({ argv }) => existsSync(argv[0] as string));

let bin: string;
/** A project of a user, with the package in it. */
const project = temporaryFolder("runtimes");

beforeAll(async () => {
  const built = await builtPackage();
  bin = built.bin;
  mkdirSync(join(project, "node_modules"));
  symlinkSync(built.folder, join(project, "node_modules", "spillway"));
  for (const file of ["program.mjs", "thread.mjs"]) copyFileSync(join(HERE, file), join(project, file));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  copyFileSync(join(PROJECT, "examples/noisy-build.mjs"), join(project, "noisy-build.mjs"));
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(argv: readonly string[], input?: string | Buffer): Promise<Ended> {
  const [program, ...args] = argv as [string, ...string[]];
  const child = spawn(program, args, { cwd: project, env: { ...process.env, NO_COLOR: "1" } });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (texts.err += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...texts }));
  });
}

const row = "a row of an output that is far too long for anybody who has to read it, whoever printed it";
const printing = `const part = (${JSON.stringify(row)} + "\\n").repeat(1000); for (let at = 0; at < ${MEGABYTES * 11}; at++) process.stdout.write(part);`;
const BYTES = MEGABYTES * 11 * 1000 * (row.length + 1);

describe.each(RUNTIMES)("the command line under $name", ({ argv }) => {
  const spillway = (args: readonly string[], input?: string | Buffer) => run([...argv, bin, ...args], input);

  test("shows a short output as it is, of both streams", async () => {
    expect(await spillway(["run", "--", "echo", "hi"])).toEqual({ code: 0, out: "hi\n", err: "" });
    const both = await spillway(["run", "--", "sh", "-c", "echo one; echo two >&2; exit 4"]);
    expect(both.code).toBe(4);
    expect(both.out).toContain("one\n");
    expect(both.out).toContain("two\n");
  });

  test("shows the error of a long output and where the rest is", async () => {
    const { code, out } = await spillway(["run", "--", "node", "noisy-build.mjs"]);
    expect(code).toBe(1);
    expect(out).toContain("error TS2345");
    expect(out).toContain("40,052 lines");
    const found = await spillway(["artifacts", "grep", "TS2345", "latest"]);
    expect(found.out).toContain("21402:");
    const read = await spillway(["artifacts", "read", "latest", "--offset", "21402", "--limit", "1"]);
    expect(read.out).toContain("error TS2345");
  });

  test("takes what a pipe, a socket and a file hold", async () => {
    const text = Array.from({ length: 20_000 }, (_, at) => (at === 9000 ? "FATAL: no space" : `step ${at}`)).join("\n");
    const socket = await spillway(["pipe", "--max-bytes", "4000"], text);
    expect(socket.out).toContain("FATAL: no space");
    expect(socket.code).toBe(0);
    writeFileSync(join(project, "text"), text);
    const line = [...argv, bin, "pipe", "--max-bytes", "4000"].map((word) => `'${word}'`).join(" ");
    const pipe = await run(["sh", "-c", `cat text | ${line}`]);
    expect(pipe.out).toContain("FATAL: no space");
    const file = await run(["sh", "-c", `${line} < text`]);
    expect(file.out).toContain("FATAL: no space");
    expect((await spillway(["pipe"], "short")).out).toBe("short");
  });

  test(`takes ${MEGABYTES} MB, and loses none of it`, async () => {
    const { code, out } = await spillway(["run", "--", "node", "-e", printing]);
    expect(code).toBe(0);
    expect(out).toContain(BYTES.toLocaleString("en-US"));
    const verified = await spillway(["artifacts", "verify"]);
    expect(verified.code, verified.out + verified.err).toBe(0);
    const { out: listed } = await spillway(["artifacts", "list", "--json"]);
    expect(JSON.parse(listed).artifacts.map(({ bytes }: { bytes: number }) => bytes)).toContain(BYTES);
  });

  test("says what cannot be run", async () => {
    const { code, err } = await spillway(["run", "--", "no-such-program-here"]);
    expect(code).toBe(127);
    expect(err).toContain("no such command");
  });

  test("bounds what an MCP server answers, and reads it again", async () => {
    const server = spawn(argv[0] as string, [
      ...argv.slice(1),
      bin,
      "proxy",
      "--",
      process.execPath,
      join(PROJECT, "test/mcp/lab-server.mjs"),
    ]);
    const { text, ask, end } = talk(server);
    const answer = await ask("tools/call", { name: "log", arguments: {} });
    expect(text(answer)).toContain("ERROR MARK-1");
    const { artifact_id: id } = answer._meta["spillway/truncation"];
    const found = await ask("tools/call", { name: "spillway_read", arguments: { id, pattern: "MARK-1" } });
    expect(text(found)).toContain("41001:ERROR MARK-1");
    const small = await ask("tools/call", { name: "echo", arguments: { word: "x" } });
    expect(text(small)).toBe("echo of x");
    end();
  });

  test("serves its tools by MCP", async () => {
    const { text, ask, end } = talk(spawn(argv[0] as string, [...argv.slice(1), bin, "mcp"], { cwd: project }));
    const { tools } = await ask("tools/list", {});
    expect(tools.map(({ name }: { name: string }) => name)).toContain("Grep");
    expect(text(await ask("tools/call", { name: "Read", arguments: { path: "package.json" } }))).toContain("module");
    end();
  });
});

/** A client of a server over standard input and output. */
function talk(server: ChildProcess) {
  let last = 0;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers.
  const waiting = new Map<number, (result: any) => void>();
  createInterface({ input: server.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.(result ?? error);
  });
  const send = (message: object) => server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers.
  const request = (method: string, params: object): Promise<any> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      send({ id: last, method, params });
    });
  const clientInfo = { name: "runtimes", version: "1" };
  const ready = request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }).then(() =>
    send({ method: "notifications/initialized" }),
  );
  return {
    ask: async (method: string, params: object) => {
      await ready;
      return request(method, params);
    },
    text: ({ content }: { content: { text?: string }[] }) => content.map(({ text }) => text ?? "").join("\n"),
    end: () => server.kill(),
  };
}

describe.each(RUNTIMES)("a program under $name", ({ name, argv }) => {
  async function results(program: readonly string[]): Promise<Record<string, string>> {
    const { out, err, code } = await run([...program, temporaryFolder("program")]);
    expect(code, err).toBe(0);
    return JSON.parse(out);
  }

  test("governs texts, streams and processes, and reads them again", async () => {
    const parts = await results([...argv, "program.mjs"]);
    expect(Object.keys(parts).length).toBeGreaterThan(10);
    expect(Object.entries(parts).filter(([, result]) => result !== "ok")).toEqual([]);
  });

  test("makes previews in a worker of the runtime's own", async () => {
    expect((await run([...argv, "thread.mjs"])).out).toContain("ERROR disk 7 is full");
  });

  test.runIf(name === "Bun")("does the same compiled into one file", async () => {
    const compiled = await run([argv[0] as string, "build", "--compile", "--outfile", "compiled", "program.mjs"]);
    expect(compiled.code, compiled.err).toBe(0);
    const parts = await results([join(project, "compiled")]);
    expect(Object.entries(parts).filter(([, result]) => result !== "ok")).toEqual([]);
  });
});
