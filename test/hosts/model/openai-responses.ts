import { type Body, callIdOf, eventStream, json, listOf, OUTPUT_TOKENS, type Protocol, textOf } from "./protocol.ts";

/** OpenAI's responses. */
export const openaiResponses: Protocol = {
  matches: (path) => path.endsWith("/responses"),
  offered: (body) => {
    const spaces = namespacesIn(body).flatMap((space) => [
      ...listOf(space, "tools").map(nameOf),
      ...listOf(space, "tools").map((tool) => `${nameOf(space)}__${nameOf(tool)}`),
    ]);
    return [
      ...toolsIn(body)
        .filter(({ type }) => type !== "namespace")
        .map(nameOf),
      ...spaces,
    ];
  },
  results: (body) =>
    listOf(body, "input")
      .filter(({ type }) => type === "tool_search_output" || String(type).endsWith("call_output"))
      .map(({ output, tools }) => ({ text: textOf(output ?? JSON.stringify(tools)), failed: undefined })),
  answer: (reply, { body, id, inputTokens }) => {
    const items: readonly Body[] =
      "text" in reply
        ? [
            {
              type: "message",
              id: `msg_${id}`,
              status: "completed",
              role: "assistant",
              content: [{ type: "output_text", text: reply.text, annotations: [] }],
            },
          ]
        : reply.calls.map(({ tool, input }, at) => ({
            id: `fc_${callIdOf(id, at)}`,
            status: "completed",
            call_id: `call_${callIdOf(id, at)}`,
            ...(tool === "tool_search"
              ? { type: "tool_search_call", execution: "client", arguments: input }
              : { type: "function_call", ...spacedName(body, tool), arguments: JSON.stringify(input) }),
          }));
    const usage = {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: OUTPUT_TOKENS,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + OUTPUT_TOKENS,
    };
    const response = { id: `resp_${id}`, object: "response", created_at: 1, model: body.model };
    const done = { ...response, status: "completed", output: items, usage };
    if (body.stream !== true) return json(done);
    const events: Body[] = [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      ...items.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item },
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response: done },
    ];
    return eventStream(events.map((event, sequence_number) => [String(event.type), { ...event, sequence_number }]));
  },
};

/** Tools that are offered, were added on the way, or found by a search. */
function toolsIn(body: Body): readonly Body[] {
  const added = listOf(body, "input").filter(
    ({ type }) => type === "additional_tools" || type === "tool_search_output",
  );
  return [body, ...added].flatMap((one) => listOf(one, "tools"));
}

function namespacesIn(body: Body): readonly Body[] {
  return toolsIn(body).filter(({ type }) => type === "namespace");
}

/** A tool's name, apart from that of the namespace which it may be in. */
function spacedName(body: Body, tool: string): Body {
  const space = namespacesIn(body).find((one) => tool.startsWith(`${nameOf(one)}__`));
  if (space === undefined) return { name: tool };
  return { name: tool.slice(nameOf(space).length + 2), namespace: nameOf(space) };
}

function nameOf(tool: Body): string {
  return String(tool.name ?? (tool.function as Body | undefined)?.name ?? tool.type);
}
