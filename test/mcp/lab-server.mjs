// An MCP server over stdio whose tools answer as real ones do when they are at their worst. Speaks only what agents ask for.
// With --slow N it is silent for N seconds first; --journal FILE has what it was asked for, tools by their names.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { deflateSync } from "node:zlib";

const flag = (name) => process.argv[process.argv.indexOf(name) + 1];
const slow = process.argv.includes("--slow") ? Number(flag("--slow")) : 0;
const journal = process.argv.includes("--journal") ? flag("--journal") : undefined;

const text = (value) => ({ type: "text", text: value });
const LINES = 60_000;
const log = () =>
  Array.from({ length: LINES }, (_, at) =>
    at === 41_000
      ? "ERROR MARK-1: out of disk on node 7"
      : `2026-11-16T10:00:00Z INFO worker ${at % 97} took job ${at}`,
  ).join("\n");
const rows = () => Array.from({ length: 4000 }, (_, id) => ({ id, name: `customer ${id}`, city: "Bern" }));

/** A picture of noise, which does not get smaller. */
function png(width, height) {
  const raw = Buffer.alloc((width * 3 + 1) * height);
  for (let at = 0, state = 1; at < raw.length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    raw[at] = at % (width * 3 + 1) === 0 ? 0 : state >>> 24;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const parts = [
    ["IHDR", header],
    ["IDAT", deflateSync(raw)],
    ["IEND", Buffer.alloc(0)],
  ].map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  });
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

const row = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } }, required: ["id"] };
const TOOLS = {
  log: { run: () => ({ content: [text(log())] }) },
  file: {
    outputSchema: { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
    run: () => ({ content: [text(log())], structuredContent: { content: log() } }),
  },
  // More than agents take by default, and less than a user may allow.
  long: { run: () => ({ content: [text(`${log().slice(0, 90_000)}\nMARK-2: the last line`)] }) },
  rows: {
    outputSchema: { type: "object", properties: { rows: { type: "array", items: row } }, required: ["rows"] },
    run: () => ({ content: [text(JSON.stringify({ rows: rows() }))], structuredContent: { rows: rows() } }),
  },
  image: {
    run: () => ({ content: [{ type: "image", mimeType: "image/png", data: png(560, 560).toString("base64") }] }),
  },
  broken: { run: () => ({ content: [text(log())], isError: true }) },
  echo: { run: ({ word }) => ({ content: [text(`echo of ${word}`)] }) },
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "lab", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: Object.entries(TOOLS).map(([name, { outputSchema }]) => ({
      name,
      description: `Gives the ${name} of the lab.`,
      inputSchema: { type: "object", properties: { word: { type: "string" } } },
      annotations: { readOnlyHint: true },
      ...(outputSchema ? { outputSchema } : {}),
    })),
  }),
  "tools/call": ({ name, arguments: args }) => TOOLS[name].run(args ?? {}),
};

setTimeout(() => {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (journal) appendFileSync(journal, `${params?.name ?? method}\n`);
    const answer = ANSWERS[method];
    const said = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: `no ${method} here` } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
  });
}, slow * 1000);
