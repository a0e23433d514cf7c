import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolResponse } from "../../src/protocol/types.ts";
import type { ToolKind } from "../../src/protocol/validate.ts";
import { PROJECT } from "../support/build.ts";
import { expectEnvelope, expectError } from "../support/envelope.ts";
import { temporaryFolder } from "../support/folder.ts";
import { installPackage, packPackage } from "../support/installed-package.ts";

const root = realpathSync(mkdtempSync(path.join(tmpdir(), "spillway-e2e-tools-")));
const folder = temporaryFolder("tools");
let bin: string;
const server = createServer((_, response) =>
  response.setHeader("content-type", "text/html").end("<h1>Dams</h1><p>Hold water.</p>"),
);

/** Runs `spillway tool …` of the packed package. */
async function tool(
  args: readonly string[],
  kind?: ToolKind,
): Promise<{ response: ToolResponse; exitCode: number | null }> {
  const child = spawn(process.execPath, [bin, "tool", ...args, "--root", root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { response: expectEnvelope(JSON.parse(out), kind), exitCode };
}

const write = (name: string, content: string) => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
};

beforeAll(async () => {
  bin = (await installPackage(path.join(folder, "app"), await packPackage(folder))).bin;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  write("src/gate.ts", "export function openGate() {}\n");
  write("src/use.ts", 'import { openGate } from "./gate.ts";\nopenGate();\n');
  write("long.txt", "0123456789 and more text to fill the line\n".repeat(1000));
});

afterAll(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

describe("spillway tool, as packed", () => {
  it.each([
    ["LS", { path: "src" }, "ls", "src/gate.ts"],
    ["Glob", { pattern: "**/*.ts" }, "glob", "src/use.ts"],
    ["Grep", { pattern: "openGate" }, "grep", "src/gate.ts"],
    ["Read", { path: "src/gate.ts" }, "read", "openGate"],
    ["Write", { path: "made/new.txt", content: "hello\n" }, "write", "+hello"],
    ["Edit", { path: "src/use.ts", old_string: "openGate();", new_string: "void openGate();" }, "edit", "+void"],
    ["Bash", { command: "echo from bash" }, undefined, "from bash"],
    ["RepoMap", {}, undefined, "openGate"],
    ["RepoStructure", {}, undefined, "gate.ts"],
  ] as const)("%s", async (name, params, kind, expected) => {
    const { response, exitCode } = await tool([name, JSON.stringify(params)], kind);
    expect(response.status).toBe("success");
    expect(JSON.stringify(response.data)).toContain(expected);
    expect(exitCode).toBe(0);
  });

  it("WebFetch, with and without leave to reach loopback", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { response } = await tool(["WebFetch", JSON.stringify({ url }), "--allow-private-addresses"]);
    expect(response.data.content).toContain("Dams");
    const refused = await tool(["WebFetch", JSON.stringify({ url })]);
    expectError(refused.response, "ACCESS_DENIED");
    expect(refused.exitCode).toBe(1);
  });

  it("answers an unknown name and bad JSON with an envelope and exit code 1", async () => {
    const unknown = await tool(["Nothing", "{}"]);
    expectError(unknown.response, "NOT_FOUND");
    const bad = await tool(["LS", "{not json"]);
    expectError(bad.response, "INVALID_PARAM");
    expect([unknown.exitCode, bad.exitCode]).toEqual([1, 1]);
  });

  it("bounds, saves, and reads back what it saved, by the hint's own path", async () => {
    const { response } = await tool(["Bash", '{"command":"seq 1 20000"}', "--call-id", "call_1"]);
    expect(response).toMatchObject({ status: "partial", stats: { exit_code: 0 } });
    const { full_output_path: saved } = response.data.truncation as { full_output_path: string };
    expect(saved).toContain("call_1");
    const page = await tool(["Read", JSON.stringify({ path: saved, offset: 19_999 })], "read");
    expect(page.response.data.content).toBe(" 19999\t19999\n 20000\t20000");
  });

  it("holds the older names to the limits of the example config", async () => {
    cpSync(path.join(PROJECT, "examples", "spillway.yaml"), path.join(root, "spillway.yaml"));
    const read = (await tool(["read_file", '{"file_path":"long.txt"}'], "read")).response;
    expect((read.data.content as string).length).toBeLessThanOrEqual(5000);
    const grep = (await tool(["grep_search", '{"pattern":"void","path":"src"}'], "grep")).response;
    expect((grep.data.matches as { before: string[] }[])[0]?.before).toHaveLength(1);
    expect((await tool(["repo_map", '{"repo_path":"."}'])).response.status).toBe("success");
    expect((await tool(["get_repo_structure", "{}"])).response.status).toBe("success");
  });

  it("lists its tools with schemas", () => {
    const tools = JSON.parse(execFileSync(process.execPath, [bin, "tool"], { encoding: "utf8" })) as { name: string }[];
    expect(tools).toHaveLength(10);
  });
});
