import { expect, test } from "vitest";
import { queryOfCall } from "../../../../src/integrations/mcp-proxy/session/tool-catalog.ts";

test.each<[name: string, params: Record<string, unknown>, query: unknown]>([
  ["nothing", {}, undefined],
  ["no text", { arguments: { limit: 3, deep: { flag: true, list: [1, null] } } }, undefined],
  ["a command", { arguments: { command: "npm test" } }, { command: "npm test" }],
  [
    "a command with its description",
    { arguments: { command: "npm test", description: "Find out why the login test fails" } },
    {
      command: "npm test\nFind out why the login test fails",
      assistantText: "Find out why the login test fails",
    },
  ],
  [
    "words to search for",
    { arguments: { query: "login timeout", limit: 5 } },
    { command: "login timeout", question: "login timeout" },
  ],
  ["SQL is no question", { arguments: { query: "SELECT * FROM users" } }, { command: "SELECT * FROM users" }],
  ["GraphQL is no question", { arguments: { query: "{ user { id } }" } }, { command: "{ user { id } }" }],
  [
    "arguments of a tool behind a search for tools",
    { arguments: { name: "git__log", arguments: { paths: ["src/a.ts", "src/b.ts"] } } },
    { command: "git__log\nsrc/a.ts\nsrc/b.ts" },
  ],
  [
    "secrets are left out",
    { arguments: { path: "a", password: "hunter2", auth: { api_key: "k", token: "t" } } },
    { command: "a" },
  ],
  [
    "what a client says in _meta comes first",
    { arguments: { query: "x" }, _meta: { "spillway/query": { question: "why?", task: "the prompt", other: 1 } } },
    { command: "x", question: "why?", task: "the prompt" },
  ],
  ["a text in _meta", { _meta: { "spillway/query": "why?", progressToken: 1 } }, { question: "why?" }],
  ["wrong types in _meta", { _meta: { "spillway/query": { task: 7 } } }, undefined],
])("what a call tells of why it is made: %s", (_, params, query) => {
  expect(queryOfCall(params)).toEqual(query);
});

test("a call with large arguments tells a bounded part", () => {
  const nested = (depth: number): unknown => (depth === 0 ? "bottom" : { next: nested(depth - 1) });
  const query = queryOfCall({
    arguments: {
      content: "x".repeat(1e6),
      many: Array.from({ length: 10_000 }, () => "y".repeat(5000)),
      deep: nested(500),
    },
  });
  expect(query?.command?.length).toBeLessThan(110_000);
  expect(query?.command).not.toContain("bottom");
});
