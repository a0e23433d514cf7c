import { describe, expect, it } from "vitest";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { boundMessages, readerTools } from "../../../src/integrations/frameworks/messages.ts";
import { chooseStubs } from "../../../src/integrations/frameworks/stub-older.ts";
import { temporaryFolder } from "../../support/folder.ts";

const LONG = Array.from({ length: 5000 }, (_, at) => `row ${at} of the answer`).join("\n");
const gate = () => createSpillway({ root: temporaryFolder("messages"), config: false, env: {}, maxBytes: 4000 });
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const chat = (count: number) => [
  { role: "system", content: "Be brief." },
  { role: "user", content: "What is in row 4711?" },
  ...Array.from({ length: count }, (_, at) => [
    {
      role: "assistant",
      tool_calls: [{ id: `c${at}`, type: "function", function: { name: "query", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: `c${at}`, content: `${at}\n${LONG}` },
  ]).flat(),
];

describe("boundMessages()", () => {
  it("bounds results of chat completions, by the question, and changes nothing that was given", async () => {
    const spillway = gate();
    const messages = chat(1);
    const before = JSON.stringify(messages);
    const sent = await boundMessages(messages, { spillway });
    expect(JSON.stringify(messages)).toBe(before);
    expect(sent.slice(0, 3)).toEqual(messages.slice(0, 3));
    expect(sent[1]).toBe(messages[1]);
    const { content } = sent[3] as { content: string };
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(4000);
    expect(content).toContain("row 4711 of the answer");
    expect((await spillway.store.find("c0"))?.manifest?.tool).toBe("query");
  });

  it("bounds results of OpenAI's responses and of Anthropic's messages, images kept", async () => {
    const spillway = gate();
    const items = [
      { role: "user", content: [{ type: "input_text", text: "row 4711?" }] },
      { type: "function_call", call_id: "r1", name: "query", arguments: "{}" },
      { type: "function_call_output", call_id: "r1", output: LONG },
    ];
    const sent = await boundMessages(items, { spillway });
    expect((sent[2] as { output: string }).output).toContain("row 4711 of the answer");
    expect(bytesOf(sent)).toBeLessThan(6000);
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBOR" } };
    const blocks = [
      { role: "user", content: "row 4711?" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "query", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", is_error: true, content: [image, { type: "text", text: LONG }] },
          { type: "text", text: "Go on." },
        ],
      },
    ];
    const answered = await boundMessages(blocks, { spillway });
    const [result, text] = answered[2]!.content as { content: { text: string }[] }[];
    expect(result!.content[0]).toEqual(image);
    expect(result!.content[1]!.text).toContain("The tool call failed");
    expect(result!.content[1]!.text).toContain("row 4711 of the answer");
    expect(text).toEqual({ type: "text", text: "Go on." });
    expect(bytesOf(answered)).toBeLessThan(6500);
  });

  it("bounds results of older and of newer forms: of functions, custom tools and shells", async () => {
    const spillway = gate();
    const history = [
      { role: "user", content: "row 4711?" },
      { role: "function", name: "query", content: LONG },
      { type: "custom_tool_call", call_id: "k1", name: "sql", input: "select" },
      { type: "custom_tool_call_output", call_id: "k1", output: LONG },
      { type: "local_shell_call_output", call_id: "k2", output: LONG },
    ];
    const sent = await boundMessages(history, { spillway });
    expect(bytesOf(sent)).toBeLessThan(14_000);
    for (const at of [1, 3, 4]) expect(JSON.stringify(sent[at])).toContain("row 4711 of the answer");
    expect((await spillway.store.find("k1"))?.manifest?.tool).toBe("sql");
    expect(sent[1]).toMatchObject({ role: "function", name: "query", content: expect.any(String) });
    expect(await boundMessages(history, { spillway })).toEqual(sent);
  });

  it("makes pointers of older results when all are too much, the first and the last kept", async () => {
    const spillway = gate();
    const reader = readerTools({ spillway });
    const options = { spillway, maxTotalBytes: 3000 };
    const sent = await boundMessages(chat(12), options);
    const contents = sent
      .filter(({ role }) => role === "tool")
      .map((message) => (message as { content: string }).content);
    const stubs = contents.filter((content) => content.includes("is left out here"));
    expect(stubs.length).toBeGreaterThan(4);
    expect(stubs).not.toContain(contents[0]);
    expect(stubs).not.toContain(contents.at(-1));
    expect(contents.reduce((sum, content) => sum + content.length, 0)).toBeLessThanOrEqual(3000 + stubs.length * 200);
    const id = /spillway_read\(id="([0-9a-z]+)"\)/.exec(stubs[0]!)?.[1];
    expect(await reader.call({ id, pattern: "row 4711 " })).toContain("row 4711 of the answer");
    // A history that grew has the same beginning, unless the total was passed once more.
    const grown = await boundMessages([...chat(12), { role: "user", content: "And row 12?" }], options);
    expect(grown.slice(0, -1)).toEqual(sent);
  });

  it("changes the beginning of a growing history seldom", () => {
    const changes = Array.from({ length: 60 }, (_, count) => [...chooseStubs(Array(count).fill(4000), 40_000)].join());
    const distinct = new Set(changes).size;
    expect(distinct).toBeGreaterThan(3);
    expect(distinct).toBeLessThan(14);
  });
});

describe("the reader of a loop", () => {
  it("is defined for each protocol", () => {
    const { chat, responses, anthropic } = readerTools({ spillway: gate() });
    for (const parameters of [chat.function.parameters, responses.parameters, anthropic.input_schema])
      expect(parameters.required).toEqual(["id"]);
    expect([chat.function.name, responses.name, anthropic.name]).toEqual(Array(3).fill("spillway_read"));
  });
});
