import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { connectClient, FILESYSTEM, proxyArgs, spillwayArgs, temporaryRoot } from "../../support/mcp-peers.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field.
type Json = any;

/** Made here, so that no file of the project holds what looks like one. */
const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const PLACEHOLDER = "[redacted:github-token#1]";
const clients: Json[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function connect(args: readonly string[]): Promise<Json> {
  const client = await connectClient("v2", args);
  clients.push(client);
  return client;
}

function allFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

describe("spillway proxy --redact", () => {
  test("takes secrets out of small and large answers, and puts them back into calls", async () => {
    const root = temporaryRoot();
    writeFileSync(join(root, "a.env"), `TOKEN=${secret}\n`);
    writeFileSync(join(root, "big.log"), `${"row\n".repeat(300_000)}TOKEN=${secret}\n${"row\n".repeat(10)}`);
    const client = await connect(await proxyArgs(root, [FILESYSTEM, root], ["--redact"]));
    const call = (name: string, args: Json) => client.callTool({ name, arguments: args });
    const small = JSON.stringify(await call("read_text_file", { path: join(root, "a.env") }));
    expect(small).toContain(PLACEHOLDER);
    const large = JSON.stringify(await call("read_text_file", { path: join(root, "big.log") }));
    expect(large).toContain("spillway/truncation");
    expect(small + large).not.toContain(secret);
    const saved = allFiles(join(root, ".agents"));
    expect(saved).toContain(PLACEHOLDER);
    expect(saved).toMatch(/"redacted":\s*\{\s*"github-token":\s*\d/);
    expect(saved).not.toContain(secret);
    await call("write_file", { path: join(root, "b.env"), content: `COPY=${PLACEHOLDER}\n` });
    expect(readFileSync(join(root, "b.env"), "utf8")).toBe(`COPY=${secret}\n`);
    const refused = await call("write_file", { path: join(root, "c.env"), content: "COPY=[redacted:jwt#9]\n" });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("CONFLICT") }] });
    expect(readdirSync(root)).not.toContain("c.env");
  });

  test("takes secrets out of the server's stderr and of what is said of it", async () => {
    const root = temporaryRoot();
    const server = join(root, "server.mjs");
    writeFileSync(
      server,
      `process.stdin.resume();
process.stderr.write("starting with ${secret.slice(0, 20)}");
setTimeout(() => process.stderr.write("${secret.slice(20)}\\n"), 50);
setTimeout(() => process.stdout.write("not json: ${secret}\\n"), 100);
setTimeout(() => { process.stderr.write("bye ${secret}"); process.exit(0); }, 300);
`,
    );
    const args = await proxyArgs(root, [server], ["--redact"]);
    const proxy = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "pipe"] });
    let said = "";
    proxy.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    proxy.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    await expect.poll(() => said, { timeout: 10_000 }).toContain("bye");
    proxy.stdin.end();
    await once(proxy, "close");
    expect(said).toContain(`starting with ${PLACEHOLDER}\n`);
    expect(said).toContain(`bye ${PLACEHOLDER}`);
    expect(said).toContain("not JSON-RPC");
    expect(said).not.toContain(secret);
  });
});

describe("spillway mcp --redact", () => {
  test("shows placeholders, also of what was saved before, and writes what they stand for", async () => {
    const root = temporaryRoot();
    writeFileSync(join(root, "a.env"), `TOKEN=${secret}\n`);
    const client = await connect(await spillwayArgs("mcp", "--root", root, "--redact", "--allow-write"));
    const call = async (name: string, args: Json) =>
      JSON.stringify(await client.callTool({ name, arguments: args })) as string;
    expect(await call("Read", { path: "a.env" })).toContain(PLACEHOLDER);
    await call("Write", { path: "b.env", content: `COPY=${PLACEHOLDER}\n` });
    expect(readFileSync(join(root, "b.env"), "utf8")).toBe(`COPY=${secret}\n`);
    expect(await call("Write", { path: "c.env", content: "[redacted:jwt#9]" })).toContain("CONFLICT");
  });
});
