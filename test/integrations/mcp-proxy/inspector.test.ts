import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { HOSTILE, proxyArgs, temporaryRoot } from "../../support/mcp-peers.ts";

const INSPECTOR = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector-cli/build/cli.js"));

test("the MCP Inspector's command line works through the proxy", async () => {
  const proxy = await proxyArgs(temporaryRoot(), [HOSTILE]);
  const inspect = async (...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      INSPECTOR,
      "--cli",
      process.execPath,
      ...proxy,
      ...args,
    ]);
    return JSON.parse(stdout);
  };
  const { tools } = await inspect("--method", "tools/list");
  expect(tools.slice(-2).map(({ name }: { name: string }) => name)).toEqual(["spillway_read", "spillway_query"]);
  const answer = await inspect("--method", "tools/call", "--tool-name", "echo", "--tool-arg", "value=hi");
  expect(answer).toEqual({ content: [{ type: "text", text: "hi" }] });
});
