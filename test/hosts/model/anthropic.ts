import { type Body, eventStream, json, listOf, OUTPUT_TOKENS, type Protocol, textOf } from "./protocol.ts";

/** Anthropic's messages. */
export const anthropic: Protocol = {
  matches: (path) => path.endsWith("/messages"),
  offered: (body) => listOf(body, "tools").map(({ name }) => String(name)),
  results: (body) =>
    listOf(body, "messages")
      .flatMap((message) => listOf(message, "content"))
      .filter(({ type }) => type === "tool_result")
      .map((block) => ({ text: textOf(block.content), failed: block.is_error === true })),
  answer: (reply, { body, id, inputTokens }) => {
    const blocks: readonly Body[] =
      "text" in reply
        ? [{ type: "text", text: reply.text }]
        : reply.calls.map(({ tool, input }, at) => ({
            type: "tool_use",
            // Of one length, as real ones are: Claude Code loses the results of ids that begin with another's.
            id: `toolu_${`${id}x${at}`.padStart(24, "0")}`,
            name: tool,
            input,
          }));
    const reason = { stop_reason: "text" in reply ? "end_turn" : "tool_use", stop_sequence: null };
    const usage = { input_tokens: inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: body.model };
    if (body.stream !== true)
      return json({ ...message, content: blocks, ...reason, usage: { ...usage, output_tokens: OUTPUT_TOKENS } });
    const start = {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    };
    const events: Body[] = [
      { type: "message_start", message: start },
      ...blocks.flatMap(eventsOf),
      { type: "message_delta", delta: reason, usage: { output_tokens: OUTPUT_TOKENS } },
      { type: "message_stop" },
    ];
    return eventStream(events.map((event) => [String(event.type), event]));
  },
};

function eventsOf(block: Body, index: number): Body[] {
  const [empty, delta] =
    block.type === "text"
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        ];
  return [
    { type: "content_block_start", index, content_block: empty },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}
