import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolResponse } from "../../../src/protocol/types.ts";
import type { ToolKind } from "../../../src/protocol/validate.ts";
import { builtInTools } from "../../../src/tools/index.ts";
import { expectEnvelope } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

const KINDS: Readonly<Record<string, ToolKind>> = {
  LS: "ls",
  Glob: "glob",
  Grep: "grep",
  Read: "read",
  Write: "write",
  Edit: "edit",
};
const lines = (count: number) => Array.from({ length: count }, (_, index) => `needle ${index}\n`).join("");

const space = createWorkspace({ allowPrivateAddresses: true });
const narrow = createWorkspace({ allowPrivateAddresses: true, gate: { maxLines: 20, maxBytes: 2000 } });
for (const { write } of [space, narrow]) {
  for (let index = 0; index < 60; index++) write(`many/file-${index}.ts`, `export const needle${index} = ${index};\n`);
  write("small.txt", "needle\n");
  write("long.txt", lines(5000));
  write("edit.txt", "before\n");
  write(
    "data.bin",
    Uint8Array.from({ length: 999 }, (_, at) => (at * 7919) % 256),
  );
}

const server = createServer((request, response) => {
  response.writeHead(request.url === "/gone" ? 404 : 200, { "content-type": "text/plain" });
  response.end(request.url === "/long" ? lines(5000) : "small page");
});
let site = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

type Call = readonly [tool: string, params: () => Record<string, unknown>];

const SUCCESS: readonly Call[] = [
  ["LS", () => ({ path: "many", limit: 100 })],
  ["Glob", () => ({ pattern: "*.txt" })],
  ["Grep", () => ({ pattern: "needle", path: "small.txt" })],
  ["Read", () => ({ path: "small.txt" })],
  ["Write", () => ({ path: "new.txt", content: "x\n" })],
  ["Edit", () => ({ path: "edit.txt", old_string: "before", new_string: "before, and after" })],
  ["Bash", () => ({ command: "echo fine" })],
  ["WebFetch", () => ({ url: `${site}/` })],
  ["RepoMap", () => ({ path: "many", max_tokens: 20_000 })],
  ["RepoStructure", () => ({ path: "many" })],
];

/** Each with what its text must say of itself. */
const PARTIAL: readonly (readonly [...Call, word: RegExp])[] = [
  ["LS", () => ({ path: "many", limit: 3 }), /truncated/i],
  ["Glob", () => ({ pattern: "many/*", limit: 3 }), /truncated/i],
  ["Grep", () => ({ pattern: "needle", limit: 3 }), /truncated/i],
  ["Read", () => ({ path: "long.txt", limit: 3 }), /truncated/i],
  ["Write", () => ({ path: "other.txt", content: "x\n", dry_run: true }), /dry-run/i],
  ["Edit", () => ({ path: "small.txt", old_string: "needle", new_string: "pin", dry_run: true }), /dry-run/i],
  ["Bash", () => ({ command: "echo half; exit 3" }), /failed.*ended with exit code 3/],
  [
    "Bash",
    () => ({ command: "echo half; kill -9 $$" }),
    /failed.*ended by SIGKILL \(exit code 137\)\. Check what ended it/,
  ],
  ["Bash", () => ({ command: "no-such-command" }), /failed.*ended with exit code 127\. Check that the command exists/],
  ["Bash", () => ({ command: "echo half; sleep 60", timeout_ms: 1500 }), /failed \(timed out\)/],
  ["WebFetch", () => ({ url: `${site}/long`, max_bytes: 100 }), /truncated/i],
  ["RepoMap", () => ({ path: "many", max_tokens: 60 }), /truncated/i],
  ["RepoStructure", () => ({ path: ".", max_files: 3 }), /truncated/i],
];

const FAILED: readonly Call[] = [
  ["Read", () => ({ path: "data.bin" })],
  ["Read", () => ({ path: "small.txt", offset: 99 })],
  ["Edit", () => ({ path: "data.bin", old_string: "a", new_string: "b" })],
  ["Edit", () => ({ path: "long.txt", old_string: "needle", new_string: "b" })],
  ["Edit", () => ({ path: "none.txt", old_string: "a", new_string: "b" })],
  ["Write", () => ({ path: "small.txt", content: "x", expected_hash: "0".repeat(64) })],
  ["Write", () => ({ path: "../x", content: "x" })],
  ["WebFetch", () => ({ url: "ftp://example.com/" })],
  ["Grep", () => ({ pattern: 3 })],
  ["LS", () => ({ path: "none" })],
  ["Glob", () => ({ pattern: "*", path: "../.." })],
  ["Grep", () => ({ pattern: "(" })],
  ["Read", () => ({ path: "many" })],
  ["Write", () => ({ path: "many", content: "x" })],
  ["Edit", () => ({ path: "small.txt", old_string: "absent", new_string: "x" })],
  ["Bash", () => ({ command: "sleep 60", timeout_ms: 200 })],
  ["Bash", () => ({ command: "ls", cwd: "none" })],
  ["WebFetch", () => ({ url: `${site}/gone` })],
  ["RepoMap", () => ({ path: "none" })],
  ["RepoStructure", () => ({ path: "none" })],
];

const WITH_BRACES = /\b([A-Z]\w+) (\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})/g;
const WITH_PARENTHESES = /\b([A-Z]\w+)\(([^)]*)\)/g;
/** A sentence in the imperative, or what is there to go by. */
const TO_DO = /\b(?:[Nn]arrow|[Gg]ive|[Cc]heck|[Cc]orrect|[Rr]aise|[Rr]epeat|[Ss]et|[Ww]rite)\b[^.]*/g;

function namedCalls(text: string): { readonly tool: string; readonly params: Record<string, unknown> }[] {
  const braces = [...text.matchAll(WITH_BRACES)].map(([, tool = "", json = ""]) => ({
    tool,
    params: JSON.parse(json),
  }));
  const parentheses = [...text.matchAll(WITH_PARENTHESES)].map(([, tool = "", args = ""]) => ({
    tool,
    params: JSON.parse(`{${args.replaceAll(/(\w+)=/g, '"$1":')}}`),
  }));
  return [...braces, ...parentheses];
}

const parametersOf = (name: string): string[] =>
  Object.keys(builtInTools.find((tool) => tool.name === name)?.parameters.shape ?? {});

/** Every call that the text names works as it stands; one that names none names a parameter of the tool, or the output. */
async function expectNext(tool: string, { text, data }: ToolResponse, { call } = space): Promise<void> {
  const calls = namedCalls(text);
  for (const { tool: named, params } of calls) {
    expect(parametersOf(named), text).toEqual(expect.arrayContaining(Object.keys(params)));
    const answer = await call(named, params);
    expect(answer.status, `${named} ${JSON.stringify(params)}: ${answer.text}`).not.toBe("error");
  }
  const steps = [...text.matchAll(TO_DO)].map(([step]) => step);
  const spoken = steps.some((step) => parametersOf(tool).some((name) => new RegExp(`\\b${name}\\b`).test(step)));
  const output = /Its output says why/.test(text) && JSON.stringify(data).length > 2;
  expect(calls.length > 0 || spoken || output, text).toBe(true);
}

describe("every tool", () => {
  it("is looked at in each state", () => {
    const names = builtInTools.map(({ name }) => name).sort();
    for (const calls of [SUCCESS, PARTIAL, FAILED])
      expect([...new Set(calls.map(([tool]) => tool))].sort()).toEqual(names);
  });

  it.each(SUCCESS)("%s succeeds with a complete result", async (tool, params) => {
    const response = expectEnvelope(await space.call(tool, params()), KINDS[tool]);
    expect(response.status, response.text).toBe("success");
    expect(response.text).not.toBe("");
  });

  it.each(PARTIAL)(
    "%s says in the protocol's words why it is partial, and what to do (%#)",
    async (tool, params, word) => {
      const response = expectEnvelope(await space.call(tool, params()), KINDS[tool]);
      expect(response.status, response.text).toBe("partial");
      expect(response.text).toMatch(word);
      await expectNext(tool, response);
    },
  );

  it.each(FAILED)("%s fails with a code of the ten and what to do (%#)", async (tool, params) => {
    const response = expectEnvelope(await space.call(tool, params()));
    expect(response.status, response.text).toBe("error");
    await expectNext(tool, response);
  });

  it("WebFetch of an address that is closed to it says which are open", async () => {
    const closed = createWorkspace();
    const response = expectEnvelope(await closed.call("WebFetch", { url: site }));
    expect(response.error?.code).toBe("ACCESS_DENIED");
    await expectNext("WebFetch", response, closed);
  });

  it.each([
    ["Grep", { pattern: "needle", path: "small.txt" }],
    ["Glob", { pattern: "*.txt" }],
  ])("%s without ripgrep says that it is a fallback", async (tool, params) => {
    const without = createWorkspace({ ripgrep: null });
    without.write("small.txt", "needle\n");
    const response = await without.call(tool, params);
    expect(response).toMatchObject({ status: "partial", data: { fallback: "javascript" } });
    expect(response.text).toMatch(/fallback/i);
    await expectNext(tool, response, without);
  });

  it("Grep for a word of the protocol still says that it was cut", async () => {
    space.write("words.txt", "truncated\n".repeat(5));
    const { text } = await space.call("Grep", { pattern: "truncated", path: "words.txt", limit: 2 });
    expect(text.replaceAll("'truncated'", "").split(" Grep {")[0]).toMatch(/truncated/i);
  });

  it.each<Call>([...SUCCESS, ...PARTIAL.map(([tool, params]): Call => [tool, params]), ...FAILED])(
    "%s keeps to the protocol under narrow limits (%#)",
    async (tool, params) => {
      const response = expectEnvelope(await narrow.call(tool, params()));
      if (response.status === "success") return;
      await expectNext(tool, response, narrow);
      if (response.data.truncated === true) expect(response.text).toMatch(/truncated/i);
    },
  );
});
