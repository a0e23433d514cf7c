import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { spillwayArgs, temporaryRoot } from "../../support/mcp-peers.ts";

interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends lines to a real server, waits for as many answers, and ends it. */
async function exchange(lines: readonly string[], answers: number): Promise<{ said: Answer[]; code: number | null }> {
  const args = await spillwayArgs("mcp", "--root", temporaryRoot());
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  child.stdin.on("error", () => {});
  for (const line of lines) child.stdin.write(`${line}\n`);
  const said: Answer[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(JSON.parse(line) as Answer);
    if (said.length === answers) child.stdin.end();
  }
  const [code] = (await ended) as [number | null];
  return { said, code };
}

const hello = [
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];
const large = "x".repeat(11 * 1024 * 1024);
const ping = '{"jsonrpc":"2.0","id":"last","method":"ping"}';

test("a request that is too large is answered with an error, wherever its id stands, and the server lives", async () => {
  const first = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"Read","arguments":{"path":"${large}"}}}`;
  const last = `{"method":"tools/call","params":{"name":"Read","arguments":{"path":"${large}","id":3}},"jsonrpc":"2.0","id":"é"}`;
  const told = `{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"${large}"}}`;
  const { said, code } = await exchange([...hello, first, last, told, large, ping], 5);
  expect(said.map(({ id }) => id).slice(1)).toEqual([7, "é", null, "last"]);
  for (const { error } of said.slice(1, 4)) {
    expect(error?.code).toBe(-32600);
    expect(error?.message).toMatch(/^The message has 11,\d{3},\d{3} bytes; at most 10,485,760 are read$/);
  }
  expect(said[4]?.result).toEqual({});
  expect(code).toBe(0);
});

test("a request nested 1,000,000 deep is answered", async () => {
  const deep = `${"[".repeat(1e6)}${"]".repeat(1e6)}`;
  const request = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"Read","arguments":{"path":${deep}}}}`;
  const { said, code } = await exchange([...hello, request, ping], 3);
  expect(said.map(({ id }) => id)).toEqual(expect.arrayContaining([7, "last"]));
  expect(code).toBe(0);
});
