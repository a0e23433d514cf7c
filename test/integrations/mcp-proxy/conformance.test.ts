import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { builtPackage } from "../../support/build.ts";
import { listenOn } from "../../support/listen-on.ts";
import { CONFORMANCE, proxyArgs, support, temporaryRoot } from "../../support/mcp-peers.ts";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

async function runSuite(...args: readonly string[]): Promise<{ code: number; output: string }> {
  const cwd = temporaryRoot();
  const child = spawn(process.execPath, ["--import", support("node-20-globsync.mjs"), SUITE, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, output: output + errors };
}

describe("the official conformance suite", () => {
  test("takes the proxy as a server", async () => {
    const server = await listenOn(
      await proxyArgs(temporaryRoot(), [CONFORMANCE], ["--listen", "127.0.0.1:0", "--no-token"]),
    );
    try {
      const { output } = await runSuite("server", "--url", server.url);
      expect(output).toMatch(/Total: 40 passed, 0 failed/);
    } finally {
      await server.close();
    }
  });

  test.each(["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"])(
    "takes the proxy as a client: %s",
    async (scenario) => {
      const root = temporaryRoot();
      mkdirSync(root, { recursive: true });
      const { bin } = await builtPackage();
      const command = [process.execPath, support("conformance-mcp-client.mjs"), bin, root].join(" ");
      const { code, output } = await runSuite("client", "--command", command, "--scenario", scenario);
      expect(output).toMatch(/Passed: (\d+)\/\1, 0 failed/);
      expect(code).toBe(0);
    },
  );
});
