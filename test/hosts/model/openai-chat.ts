import { type Body, callIdOf, eventStream, json, listOf, OUTPUT_TOKENS, type Protocol, textOf } from "./protocol.ts";

/** OpenAI's chat completions, as most other servers speak them too. */
export const openaiChat: Protocol = {
  matches: (path) => path.endsWith("/chat/completions"),
  offered: (body) => listOf(body, "tools").map((tool) => String((tool.function as Body | undefined)?.name)),
  results: (body) =>
    listOf(body, "messages")
      .filter(({ role }) => role === "tool")
      .map(({ content }) => ({ text: textOf(content), failed: undefined })),
  answer: (reply, { body, id, inputTokens }) => {
    const calls =
      "text" in reply
        ? undefined
        : reply.calls.map(({ tool, input }, at) => ({
            id: `call_${callIdOf(id, at)}`,
            type: "function",
            function: { name: tool, arguments: JSON.stringify(input) },
          }));
    const content = "text" in reply ? reply.text : "";
    const reason = calls === undefined ? "stop" : "tool_calls";
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: OUTPUT_TOKENS,
      total_tokens: inputTokens + OUTPUT_TOKENS,
    };
    const base = { id: `chatcmpl-${id}`, created: 1, model: body.model };
    if (body.stream !== true) {
      const message = { role: "assistant", content, ...(calls === undefined ? {} : { tool_calls: calls }) };
      return json({
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason: reason }],
        usage,
      });
    }
    const chunk = (delta: Body, finish: string | null, more: Body = {}): [undefined, Body] => [
      undefined,
      { ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }], ...more },
    ];
    return eventStream([
      chunk({ role: "assistant", content }, null),
      ...(calls ?? []).map((call, index) => chunk({ tool_calls: [{ index, ...call }] }, null)),
      chunk({}, reason, { usage }),
      [undefined, "[DONE]"],
    ]);
  },
};
