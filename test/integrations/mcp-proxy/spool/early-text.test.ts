import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import type { SpillwayOptions } from "../../../../src/gate/types.ts";
import type { BoundMessage } from "../../../../src/integrations/mcp-proxy/message/bound-message.ts";
import { createProxyGate } from "../../../../src/integrations/mcp-proxy/proxy-gate.ts";
import { createInlineSpool } from "../../../../src/integrations/mcp-proxy/spool/create-spool.ts";
import type {
  ExpectedAnswer,
  LargeArrival,
  LargeMessage,
  Spool,
} from "../../../../src/integrations/mcp-proxy/spool/spool.ts";
import { WorkerSpool } from "../../../../src/integrations/mcp-proxy/spool/worker-spool.ts";
import type { QueryContext } from "../../../../src/query/query-context.ts";
import { builtPackage } from "../../../support/build.ts";
import { temporaryRoot } from "../../../support/mcp-peers.ts";

const REQUEST = { tool: "logs", callId: "7", links: true };
const CALL: ExpectedAnswer = { id: 7, call: { tool: "logs", callId: "7" } };
const LINES = Array.from({ length: 60_000 }, (_, index) => `line ${index} of "the" log\tä\\\n`).join("");

const ROWS = Array.from({ length: 40_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ["ä", "\u{1f600}"] }));
const huge = JSON.stringify({ rows: [...ROWS, ...ROWS, ...ROWS, ...ROWS, ...ROWS, ...ROWS, ...ROWS, ...ROWS] });

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

const spools: Spool[] = [];
afterEach(async () => {
  for (const spool of spools.splice(0)) await spool.close();
});

/** A spool as the proxy has it, with threads, beside one in this thread. */
async function openSpool(kind: "threads" | "inline" = "threads", options: SpillwayOptions = {}) {
  const root = temporaryRoot();
  const folder = temporaryRoot();
  const spillway = { root, config: false, env: {}, ...options } as const;
  const limits = { folder, maxMessageBytes: 1e9 };
  const worker = pathToFileURL(join((await builtPackage()).dist, "spool-worker.mjs"));
  const spool =
    kind === "threads"
      ? new WorkerSpool(worker, { spool: limits, spillway })
      : createInlineSpool(createProxyGate(spillway), limits);
  spools.push(spool);
  const output = join(root, ".agents", "tool-output");
  const artifacts = (): string[] => {
    if (!existsSync(output)) return [];
    const names = readdirSync(output).filter((name) => name.startsWith("tool_"));
    // Hashes: a difference of megabytes says nothing.
    return names.map((name) => sha256(readFileSync(join(output, name))));
  };
  /** Sends a message, or what should be one, in chunks; `halfway` runs when most of it is there. */
  const arrive = async (message: unknown, expected = [CALL], halfway = async () => {}): Promise<LargeMessage> => {
    const bytes = Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
    const most = bytes.length - 100_000;
    const { promise, arrived } = nextArrival();
    const line = spool.open(arrived, expected);
    for (let at = 0; at < most; at += 65_536) await line.write(bytes.subarray(at, Math.min(most, at + 65_536)));
    await halfway();
    await line.write(bytes.subarray(most));
    line.end();
    return promise;
  };
  const counted = async (): Promise<string> => {
    await spool.close();
    return readFileSync(join(root, ".agents", "stats.jsonl"), "utf8");
  };
  return { spool, folder, output, artifacts, arrive, counted };
}

function nextArrival(): { promise: Promise<LargeMessage>; arrived: (arrival: LargeArrival) => void } {
  let arrived: (arrival: LargeArrival) => void = () => {};
  const promise = new Promise<LargeMessage>((resolve, reject) => {
    arrived = (arrival) =>
      arrival.kind === "message" ? resolve(arrival.message) : reject(new Error(`a message came as ${arrival.kind}`));
  });
  return { promise, arrived };
}

const respond = (result: object) => ({ result, jsonrpc: "2.0", id: 7 });
const answer = (...texts: readonly string[]) => respond({ content: texts.map((text) => ({ type: "text", text })) });

/** The outcome without what differs between two runs: names and ids of artifacts. */
function withoutIds({ message, artifacts }: BoundMessage): string {
  let text = JSON.stringify(message);
  for (const { id, name } of artifacts) text = text.replaceAll(name, "NAME").replaceAll(id, "ID");
  return text;
}

test("a long text is saved while the rest of its message still comes, once, and not spooled", async () => {
  const { folder, output, artifacts, arrive, counted } = await openSpool();
  let spooled = 0;
  const message = await arrive(answer(LINES), [CALL], async () => {
    await vi.waitFor(() => expect(readdirSync(output).some((name) => name.endsWith(".txt"))).toBe(true), 20_000);
    const [name = ""] = readdirSync(folder);
    spooled = readFileSync(join(folder, name)).length;
  });
  expect(spooled).toBeLessThan(1_300_000);
  const bounded = await message.bound(REQUEST);
  await message.discard();
  expect(bounded.artifacts).toHaveLength(1);
  expect(artifacts()).toEqual([sha256(LINES)]);
  const stats = await counted();
  expect(stats.match(/"calls":1,"truncated":1/g)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);
});

test("of two long texts neither is spooled, and each is saved once, before the message is complete", async () => {
  const { folder, output, artifacts, arrive, counted } = await openSpool();
  let spooled = 0;
  const names = (): string[] => readdirSync(output).filter((name) => name.endsWith(".txt"));
  let early: string[] = [];
  const message = await arrive(answer(LINES, LINES), [CALL], async () => {
    await vi.waitFor(() => expect(names()).toHaveLength(2), 20_000);
    early = names();
    const [name = ""] = readdirSync(folder);
    spooled = readFileSync(join(folder, name)).length;
  });
  expect(spooled).toBeLessThan(2 * 1_300_000);
  const bounded = await message.bound(REQUEST);
  await message.discard();
  expect(bounded.artifacts).toHaveLength(2);
  expect(names()).toEqual(early);
  expect(artifacts()).toEqual([sha256(LINES), sha256(LINES)]);
  expect(await counted()).toContain('"logs":{"calls":2,"truncated":2');
});

test("JSON is counted as what is shown of it", async () => {
  const { arrive, counted } = await openSpool();
  const shown: number[] = [];
  for (const text of [JSON.stringify({ rows: ROWS }), huge]) {
    const message = await arrive(answer(text));
    const bounded = await message.bound(REQUEST);
    await message.discard();
    const [block] = (bounded.message.result as { content: { text: string }[] }).content;
    shown.push(Buffer.byteLength(block!.text));
  }
  const records = (await counted()).split("\n").filter((line) => line.includes('"strategy"'));
  expect(records.map((line) => JSON.parse(line)).map(({ strategy, after }) => [strategy, after.bytes])).toEqual([
    ["smart", shown[0]],
    ["head", shown[1]],
  ]);
});

const content = [{ type: "text", text: LINES }];
/** Code, in which `smart` looks for an error only if it knows that the call failed. */
const CODE = Array.from({ length: 60_000 }, (_, at) => `export function f${at}(a: number) {\n  return a + ${at};\n}\n`);
const FAILED_RUN = [...CODE.slice(0, 20_000), "Error: cannot open the vault\n", ...CODE.slice(20_000)].join("");

test.each<[string, unknown, SpillwayOptions]>([
  ["a log", answer(LINES), {}],
  ["JSON that can be parsed", answer(JSON.stringify({ rows: ROWS })), {}],
  ["JSON too large to be parsed", answer(huge), {}],
  ["one long line", answer("word ".repeat(400_000)), {}],
  ["no space at all", answer("x".repeat(2_000_000)), {}],
  ["escapes of every kind", answer('\u001b[31m"\\\u0000\u2028\ud83d\ude00\n'.repeat(100_000)), {}],
  ["the text of a resource", respond({ content: [{ type: "resource", resource: { uri: "a:b", text: LINES } }] }), {}],
  ["a failed call", respond({ content, isError: true }), {}],
  ["two failed texts", respond({ ...answer(LINES, FAILED_RUN).result, isError: true }), {}],
  ["two texts that share the limit", answer(LINES, LINES.slice(0, 1_500_000)), {}],
  ["a long text beside short ones", answer("before", LINES, "after"), {}],
  ["the same text as structured content", respond({ content, structuredContent: { text: LINES } }), {}],
  ["a structure too large to be read", respond({ content, numbers: Array(2e6).fill(1234) }), {}],
  ["no JSON-RPC after all", { id: 7, result: { content } }, {}],
  ["a strategy that is not smart", answer(LINES), { strategy: "tail" }],
  ["a limit that it is within", answer(LINES), { maxBytes: 1e8, maxLines: 1e8 }],
])("the outcome is the same as of a text that is read when it is complete: %s", async (_what, message, options) => {
  const outcomes: string[] = [];
  const kept: (() => string[])[] = [];
  for (const kind of ["threads", "inline"] as const) {
    const { arrive, artifacts } = await openSpool(kind, options);
    const large = await arrive(message);
    outcomes.push(withoutIds(await large.bound(REQUEST)));
    await large.discard();
    kept.push(artifacts);
  }
  expect(sha256(outcomes[0]!)).toBe(sha256(outcomes[1]!));
  await vi.waitFor(() => expect(kept[0]!().sort()).toEqual(kept[1]!().sort()), 20_000);
});

test.each(["threads", "inline"] as const)(
  "what is known of the call decides what is shown of a large text: %s",
  async (kind) => {
    const { arrive } = await openSpool(kind);
    const shows = async (message: object, searched: string, query?: QueryContext) => {
      const large = await arrive(message, [{ id: 7, call: { tool: "logs", callId: "7", query } }]);
      const bounded = await large.bound({ ...REQUEST, query });
      await large.discard();
      return JSON.stringify(bounded.message.result?.content).includes(searched);
    };
    expect(await shows(answer(LINES), "line 31234 of")).toBe(false);
    expect(await shows(answer(LINES), "line 31234 of", { question: "line 31234" })).toBe(true);
    expect(await shows(answer(FAILED_RUN), "cannot open the vault")).toBe(false);
    expect(await shows(respond({ ...answer(FAILED_RUN).result, isError: true }), "cannot open the vault")).toBe(true);
  },
);

test.each<[string, ExpectedAnswer[], typeof REQUEST]>([
  ["it was another call's", [CALL], { ...REQUEST, tool: "other" }],
  ["nobody could know whose it is", [CALL, { id: 8 }], REQUEST],
])("what was begun in vain leaves nothing: %s", async (_why, expected, request) => {
  const { artifacts, arrive, counted } = await openSpool();
  const large = await arrive(answer(LINES), expected);
  const bounded = await large.bound(request);
  await large.discard();
  expect(bounded.artifacts).toHaveLength(1);
  await vi.waitFor(() => expect(artifacts()).toEqual([sha256(LINES)]), 20_000);
  expect(await counted()).toContain(`"${request.tool}":{"calls":1,"truncated":1`);
});

test.each(["\\x", "\\u12g4", "\\ud83d\\ud"])(
  "a text with %s in it costs its call, and nothing stays",
  async (broken) => {
    const { folder, artifacts, arrive } = await openSpool();
    const json = JSON.stringify(answer(LINES));
    const middle = json.indexOf("line 40000");
    const large = await arrive(`${json.slice(0, middle)}${broken}${json.slice(middle)}`);
    expect(large.header).toMatchObject({ id: 7, method: undefined });
    await expect(large.bound(REQUEST)).rejects.toThrow(/escape/);
    await large.discard();
    await vi.waitFor(() => expect([...artifacts(), ...readdirSync(folder)]).toEqual([]), 20_000);
  },
);

test("a message that nobody asked for leaves nothing of what was begun", async () => {
  const { folder, artifacts, arrive } = await openSpool();
  const large = await arrive(answer(LINES));
  await large.discard();
  await vi.waitFor(() => expect([...artifacts(), ...readdirSync(folder)]).toEqual([]), 20_000);
});

test("a line that ends in the middle leaves nothing", async () => {
  const { spool, folder, output, artifacts } = await openSpool();
  const line = spool.open(() => {}, [CALL]);
  const bytes = Buffer.from(JSON.stringify(answer(LINES)));
  for (let at = 0; at < 1_500_000; at += 65_536) await line.write(Uint8Array.from(bytes.subarray(at, at + 65_536)));
  await vi.waitFor(() => expect(readdirSync(output).some((name) => name.endsWith(".txt"))).toBe(true), 20_000);
  line.abort();
  await vi.waitFor(() => expect([...artifacts(), ...readdirSync(folder)]).toEqual([]), 20_000);
});
