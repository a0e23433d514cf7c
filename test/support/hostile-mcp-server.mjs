// An MCP server over stdio that does what servers should not: slow, huge, malformed, dying, schema-bound, binary.
// Written without an SDK, so that it can break any rule.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const write = (text) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
};
const text = (value) => ({ type: "text", text: value });
const lines = (count, start = 1) =>
  Array.from({ length: count }, (_, index) => `line ${index + start} of the output`).join("\n");
const SLOW_STARTS = Number(process.env.HOSTILE_DIE_ON_START ?? 0);
if (SLOW_STARTS > 0) process.exit(7);

const itemsSchema = {
  type: "object",
  properties: {
    total: { type: "integer" },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: "integer" }, name: { type: "string" } },
        required: ["id", "name"],
      },
    },
  },
  required: ["total", "items"],
  additionalProperties: false,
};
const fixedSchema = {
  type: "object",
  properties: { rows: { type: "array", minItems: 5000, items: { type: "string", pattern: "^row-[0-9]{20}$" } } },
  required: ["rows"],
};

/** Lines whose numbers go up and down, which no preview folds. */
const shuffled = (size) =>
  Array.from({ length: Math.ceil(size / 20) }, (_, at) => `row ${10_000 + ((at * 7919) % 50_021)} of the block\n`).join(
    "",
  );

const TOOLS = {
  small: { run: () => ({ content: [text("small")], _meta: { "example.com/trace": "abc" }, extra: { kept: true } }) },
  echo: { run: ({ value }) => ({ content: [text(value)] }) },
  lines: { run: ({ count }) => ({ content: [text(lines(count))], _meta: { "example.com/trace": "abc" } }) },
  huge: { run: ({ bytes }) => ({ content: [text(hugeText(bytes))] }) },
  blocks: {
    run: ({ sizes }) => ({
      content: sizes.map((size, index) => ({
        ...text(`${index}:${shuffled(size)}`.slice(0, size)),
        annotations: { priority: index / 10 },
      })),
    }),
  },
  failing: { run: ({ count }) => ({ content: [text(lines(count))], isError: true }) },
  json: { run: ({ items }) => ({ content: [text(JSON.stringify(manyItems(items), null, 2))] }) },
  json_huge: { run: ({ bytes }) => ({ content: [text(`{"log":${JSON.stringify("x".repeat(bytes))}}`)] }) },
  structured: {
    outputSchema: itemsSchema,
    run: ({ items }) => ({ content: [text(JSON.stringify(manyItems(items)))], structuredContent: manyItems(items) }),
  },
  structured_string: {
    outputSchema: {
      type: "object",
      properties: { log: { type: "string" }, ok: { type: "boolean" } },
      required: ["log", "ok"],
    },
    run: ({ bytes }) => ({ content: [text("see log")], structuredContent: { log: "y".repeat(bytes), ok: true } }),
  },
  structured_fixed: {
    outputSchema: fixedSchema,
    run: () => {
      const rows = Array.from({ length: 5000 }, (_, index) => `row-${String(index).padStart(20, "0")}`);
      return { content: [text("rows")], structuredContent: { rows } };
    },
  },
  image: {
    run: ({ bytes }) => ({
      content: [
        text("an image:"),
        {
          type: "image",
          mimeType: "image/png",
          data: Buffer.alloc(bytes, 7).toString("base64"),
          annotations: { audience: ["user"] },
        },
      ],
    }),
  },
  audio: {
    run: ({ bytes }) => ({
      content: [{ type: "audio", mimeType: "audio/wav", data: Buffer.alloc(bytes, 9).toString("base64") }],
    }),
  },
  binary_resource: {
    run: ({ bytes }) => ({
      content: [
        {
          type: "resource",
          resource: {
            uri: "file:///x.zip",
            mimeType: "application/zip",
            blob: Buffer.alloc(bytes, 3).toString("base64"),
          },
        },
      ],
    }),
  },
  text_resource: {
    run: ({ count }) => ({
      content: [{ type: "resource", resource: { uri: "file:///x.log", mimeType: "text/plain", text: lines(count) } }],
    }),
  },
  emoji: { run: ({ count }) => ({ content: [text("😀汉".repeat(count))] }) },
  env: { run: ({ name }) => ({ content: [text(String(process.env[name] ?? ""))] }) },
  pid: { run: () => ({ content: [text(String(process.pid))] }) },
};

function hugeText(bytes) {
  const line = `2026-11-15T10:00:00Z INFO worker "job" handled \t request\n`;
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

function manyItems(count) {
  return { total: count, items: Array.from({ length: count }, (_, id) => ({ id, name: `item number ${id}` })) };
}

const questions = new Map();
const running = new Map();

const SPECIAL = {
  die: () => process.exit(3),
  crash_midway: () => {
    write('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te');
    process.exit(4);
  },
  garbage: ({ id }) => {
    write("npm notice something new\n\n{broken json\n[1,2,3]\n");
    write(`${"g".repeat(700_000)}\n`);
    send({ id, result: { content: [text("after garbage")] } });
  },
  malformed: ({ id }) => write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":7}\n`),
  unknown_id: ({ id }) => {
    send({ id: "nobody-asked", result: { content: [text("?")] } });
    send({ id, result: { content: [text("asked")] } });
  },
  crlf: ({ id }) => write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [text("crlf")] } })}\r\n`),
  rpc_error: ({ id, args }) =>
    send({ id, error: { code: -32050, message: `failed: ${lines(args.count)}`, data: { hint: "x" } } }),
  number_fidelity: ({ id }) =>
    write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"big":12345678901234567890,"one":1.0}}}\n`,
    ),
  id_last_huge: ({ id, args }) =>
    write(
      `{"result":{"content":[{"type":"text","text":${JSON.stringify(hugeText(args.bytes))}}]},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`,
    ),
  // The second half comes when the call is cancelled.
  half_huge: ({ id, args }) => {
    const line = `${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [text(hugeText(args.bytes))] } })}\n`;
    write(line.slice(0, line.length / 2));
    halves.set(id, line.slice(line.length / 2));
  },
  deep_huge: ({ id, args }) => {
    const rows = Array.from({ length: args.rows }, (_, index) => ({ index, value: `v${index}` }));
    send({ id, result: { content: [text("rows")], structuredContent: { rows } } });
  },
  // Written by hand: no writer of JSON goes so deep.
  nested: ({ id, args: { depth, place, beside = "" } }) => {
    const deep = `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;
    const content = JSON.stringify(`beside ${beside}`);
    const fields = {
      text: `"result":{"content":[{"type":"text","text":${JSON.stringify(deep)}},{"type":"text","text":${content}}]}`,
      structuredContent: `"result":{"content":[{"type":"text","text":${content}}],"structuredContent":${deep}}`,
      block: `"result":{"content":[{"type":"text","text":${content}},{"type":"odd","deep":${deep}}]}`,
      meta: `"result":{"content":[{"type":"text","text":${content}}],"_meta":${deep}}`,
      error: `"error":{"code":-32050,"message":${content},"data":${deep}}`,
    };
    write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${fields[place]}}\n`);
  },
  slow: ({ id, args, meta }) => {
    let step = 0;
    const timer = setInterval(() => {
      step += 1;
      if (meta?.progressToken !== undefined)
        send({
          method: "notifications/progress",
          params: { progressToken: meta.progressToken, progress: step, total: args.steps },
        });
      if (step < args.steps) return;
      clearInterval(timer);
      running.delete(id);
      send({ id, result: { content: [text("slow done")] } });
    }, args.ms ?? 20);
    running.set(id, timer);
  },
  ask: ({ id, args }) => {
    const ask = `ask-${id}`;
    questions.set(ask, (answer) => send({ id, result: { content: [text(JSON.stringify(answer))] } }));
    send({ id: ask, method: args.method, params: args.params ?? {} });
  },
  // Asks what has nothing to do with the call, which is answered, or not, after `after` answers.
  ask_beside: ({ id, args: { count = 1, after = 0, bytes, die } }) => {
    let answers = 0;
    const finish = () =>
      die ? process.exit(3) : send({ id, result: { content: [text(bytes ? hugeText(bytes) : "answered")] } });
    for (let index = 0; index < count; index += 1) {
      const ask = `beside-${id}-${index}`;
      questions.set(ask, () => ++answers === after && finish());
      send({ id: ask, method: "roots/list" });
    }
    if (after === 0) finish();
  },
  log: ({ id }) => {
    send({ method: "notifications/message", params: { level: "info", data: "a log line" } });
    send({ id, result: { content: [text("logged")] } });
  },
  change_lists: ({ id }) => {
    for (const kind of ["tools", "resources", "prompts"]) send({ method: `notifications/${kind}/list_changed` });
    send({ id, result: { content: [text("changed")] } });
  },
  cancelled: ({ id }) => send({ id, result: { content: [text(JSON.stringify(cancelled))] } }),
  hang: ({ id }) => running.set(id, 0),
};
const cancelled = [];
const halves = new Map();
const collide = process.argv.includes("--collide");
const bare = process.argv.includes("--bare");

const METHODS = {
  initialize: ({ params }) => ({
    protocolVersion: params.protocolVersion,
    capabilities: bare
      ? { tools: { listChanged: true } }
      : { tools: { listChanged: true }, resources: { listChanged: true }, prompts: { listChanged: true }, logging: {} },
    serverInfo: { name: "hostile", version: "1.0.0", "x-unknown": true },
    instructions: "Be careful.",
  }),
  ping: () => ({}),
  "logging/setLevel": () => ({}),
  "tools/list": ({ params }) => {
    const all = [...Object.entries(TOOLS), ...Object.keys(SPECIAL).map((name) => [name, {}])].map(
      ([name, { outputSchema }]) => ({
        name,
        description: `does ${name}`,
        inputSchema: { type: "object" },
        ...(outputSchema ? { outputSchema } : {}),
        annotations: { readOnlyHint: true },
        _meta: { "example.com/order": name },
      }),
    );
    if (collide) all.push({ name: "spillway_read", inputSchema: { type: "object" } });
    const start = Number(params?.cursor ?? 0);
    const size = process.argv.includes("--pages") ? 20 : all.length;
    return {
      tools: all.slice(start, start + size),
      ...(start + size < all.length ? { nextCursor: String(start + size) } : {}),
    };
  },
  "resources/list": () => ({ resources: [{ uri: "demo://one", name: "one" }] }),
  "resources/templates/list": () => ({ resourceTemplates: [] }),
  "resources/read": ({ params }) => ({
    contents: [{ uri: params.uri, text: params.uri.startsWith("demo://huge") ? hugeText(3_000_000) : "one" }],
  }),
  "prompts/list": () => ({ prompts: [{ name: "p" }] }),
};

function handle(message) {
  const { id, method, params, result, error } = message;
  if (method === undefined) {
    questions.get(id)?.(result ?? { error });
    questions.delete(id);
    return;
  }
  if (id === undefined) {
    if (method !== "notifications/cancelled") return;
    cancelled.push(params.requestId);
    clearInterval(running.get(params.requestId));
    write(halves.get(params.requestId) ?? "");
    return;
  }
  if (method === "tools/call") {
    const { name, arguments: args = {}, _meta: meta } = params;
    if (SPECIAL[name]) SPECIAL[name]({ id, args, meta });
    else if (TOOLS[name]) send({ id, result: TOOLS[name].run(args) });
    else send({ id, error: { code: -32602, message: `Unknown tool ${name}` } });
    return;
  }
  const answer = METHODS[method];
  if (answer) send({ id, result: answer(message) });
  else send({ id, error: { code: -32601, message: "Method not found" } });
}

process.stderr.write("hostile server is up\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() !== "") handle(JSON.parse(line));
});
