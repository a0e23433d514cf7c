import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Gate from "../../src/index.ts";
import type { ToolResponse } from "../../src/protocol/types.ts";
import type * as Tools from "../../src/tools/index.ts";
import { builtPackage } from "../support/build.ts";
import { expectEnvelope } from "../support/envelope.ts";
import { createWorkspace } from "./workspace.ts";

/** What a busy machine may take on top of the second that is promised; without an end these inputs take 15 s and more. */
const SLACK_MS = 9000;
const ABORT_MS = 300;

// From the built package: the threads that can be ended have files only there.
let gate: typeof Gate;
let tools: typeof Tools;
const space = createWorkspace();
beforeAll(async () => {
  const { folder } = await builtPackage();
  const load = (name: string) => import(pathToFileURL(path.join(folder, "dist", name)).href);
  [gate, tools] = await Promise.all([load("index.mjs"), load("tools.mjs")]);
});

async function call(
  name: string,
  params: unknown,
  options: { ripgrep?: null; signal?: AbortSignal } = {},
): Promise<ToolResponse> {
  const { signal, ...environment } = options;
  const spillway = gate.createSpillway({ root: space.root, env: {}, config: false });
  const registry = tools.createToolRegistry({
    spillway,
    tools: tools.builtInTools,
    allowPrivateAddresses: true,
    ...environment,
  });
  return expectEnvelope((await registry.call(name, params, signal && { signal })).response);
}

/** Aborts a call soon after its start, and gives how long after that it answered. */
async function abortSoon(
  name: string,
  params: unknown,
  environment: { ripgrep?: null } = {},
): Promise<{ answer: ToolResponse; lateMs: number }> {
  const abort = new AbortController();
  const startedAt = performance.now();
  setTimeout(() => abort.abort(), ABORT_MS);
  const answer = await call(name, params, { ...environment, signal: abort.signal });
  return { answer, lateMs: performance.now() - startedAt - ABORT_MS };
}

describe("a tool that is aborted ends within a second", () => {
  it("RepoMap, in files that no parser gets through", async () => {
    for (let index = 0; index < 12; index++) space.write(`deep/open${index}.ts`, `// ${index}\n${"(".repeat(400_000)}`);
    for (let index = 0; index < 12; index++) space.write(`deep/brace${index}.ts`, `// ${index}\n${"{".repeat(80_000)}`);
    const { answer, lateMs } = await abortSoon("RepoMap", { path: "deep" });
    expect(answer.error?.message).toBe("The call was aborted.");
    expect(lateMs).toBeLessThan(1000 + SLACK_MS);
  });

  it("Bash, when the command ignores that it is asked to end", async () => {
    const command = "trap '' TERM; while :; do sleep 1; done";
    const { answer, lateMs } = await abortSoon("Bash", { command });
    expect(answer.text).toContain("aborted");
    expect(lateMs).toBeLessThan(1000 + SLACK_MS);
  });

  it.each([
    ["Grep", { pattern: "(a*)*b", path: "evil" }],
    ["Glob", { pattern: "evil/+(a|a)+(a|a)+(a|aa)+(a|aaa)*b" }],
  ])("%s, when its expression backtracks without end", async (name, params) => {
    for (let index = 0; index < 40; index++) space.write(`evil/${"a".repeat(60)}${index}`, "a".repeat(5000));
    const { lateMs } = await abortSoon(name, params, { ripgrep: null });
    expect(lateMs).toBeLessThan(1000 + SLACK_MS);
  });
});

describe("a tool does not hold up everything else", () => {
  it("RepoMap maps the files beside one that its parser does not get through", async () => {
    space.write("beside/hard.ts", "(".repeat(400_000));
    space.write("beside/plain.ts", "export function findMe() {}\n");
    const startedAt = performance.now();
    const { data } = await call("RepoMap", { path: "beside" });
    expect(data.map).toContain("findMe");
    expect(performance.now() - startedAt).toBeLessThan(12_000);
  });

  it.each(["Edit", "Write"])("%s changes a long file without comparing it to the end", async (name) => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `x${at}`).join("\n");
    space.write("long.txt", lines);
    const change =
      name === "Edit"
        ? { old_string: "x", new_string: "y", replace_all: true }
        : { content: `${lines}z`.replaceAll("x", "y") };
    const startedAt = performance.now();
    expect((await call(name, { path: "long.txt", ...change })).data).toMatchObject({ applied: true });
    expect(performance.now() - startedAt).toBeLessThan(1000 + SLACK_MS);
  });
});

describe("WebFetch", () => {
  const slow = `<html><body>${`${"<div>".repeat(95)}text, text, text. ${"</div>".repeat(95)}`.repeat(130)}</body></html>`;
  const deep = `<html><body>${"<div>".repeat(1_000_000)}the text`;
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/deep" ? deep : slow);
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());
  const address = (page: string) => `http://127.0.0.1:${(server.address() as { port: number }).port}/${page}`;

  it("covers the conversion of a page by timeout_ms", async () => {
    const startedAt = performance.now();
    const { error } = await call("WebFetch", { url: address("slow"), timeout_ms: 700 });
    expect(error?.code).toBe("TIMEOUT");
    expect(performance.now() - startedAt).toBeLessThan(1700 + SLACK_MS);
  });

  it("ends its conversion when it is aborted", async () => {
    const { answer, lateMs } = await abortSoon("WebFetch", { url: address("slow") });
    expect(answer.error?.message).toContain("aborted");
    expect(lateMs).toBeLessThan(1000 + SLACK_MS);
  });

  it("gives the text of a page nested 1,000,000 deep", async () => {
    const { data } = await call("WebFetch", { url: address("deep"), max_bytes: 10_000_000, timeout_ms: 60_000 });
    expect(data).toMatchObject({ fallback: "text", content: "the text\n" });
  });
});
