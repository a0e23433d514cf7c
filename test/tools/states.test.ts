import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolResponse } from "../../src/protocol/types.ts";
import type { ToolKind } from "../../src/protocol/validate.ts";
import { builtInTools } from "../../src/tools/index.ts";
import { expectEnvelope } from "../support/envelope.ts";
import { createWorkspace } from "./workspace.ts";

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
  ["Bash", () => ({ command: "echo half; sleep 60", timeout_ms: 300 }), /failed \(timed out\)/],
  ["WebFetch", () => ({ url: `${site}/long`, max_bytes: 100 }), /truncated/i],
  ["RepoMap", () => ({ path: "many", max_tokens: 60 }), /truncated/i],
  ["RepoStructure", () => ({ path: ".", max_files: 3 }), /truncated/i],
];

const FAILED: readonly Call[] = [
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

/** Words of a sentence that tells its reader to do something; one of them must stand after what happened. */
const TO_DO =
  /(?:^|[.;:)] |\n|, or |⚠️ )(?:Then )?(?:[Cc]all|Copy|Repeat|See|[Cc]heck|[Cc]reate|Do not|[Ff]ind|[Gg]ive|[Gg]o on|[Ii]ncrease|Its output says|[Ll]ook|[Mm]end|[Nn]arrow|[Rr]ead|[Rr]un|[Ss]et|[Tt]ry|[Uu]se|[Ww]rite|[A-Z]\w+ \{)/;

function expectNext({ text }: ToolResponse): void {
  expect(text.split(/[.;)] /).length, text).toBeGreaterThan(1);
  expect(text).toMatch(TO_DO);
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
      expectNext(response);
    },
  );

  it.each(FAILED)("%s fails with a code of the ten and what to do (%#)", async (tool, params) => {
    const response = expectEnvelope(await space.call(tool, params()));
    expect(response.status, response.text).toBe("error");
    expectNext(response);
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
    expectNext(response);
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
      expectNext(response);
      if (response.data.truncated === true) expect(response.text).toMatch(/truncated/i);
    },
  );
});
