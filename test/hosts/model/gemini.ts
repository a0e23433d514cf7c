import { type Body, callIdOf, eventStream, json, listOf, OUTPUT_TOKENS, type Protocol } from "./protocol.ts";

/** Gemini's generateContent. */
export const gemini: Protocol = {
  matches: (path) => /:(?:stream)?generateContent$/i.test(path),
  offered: (body) =>
    listOf(body, "tools")
      .flatMap((tool) => listOf(tool, "functionDeclarations"))
      .map(({ name }) => String(name)),
  results: (body) =>
    listOf(body, "contents")
      .flatMap((content) => listOf(content, "parts"))
      .map((part) => part.functionResponse as Body | undefined)
      .filter((response) => response !== undefined)
      .map(({ response }) => {
        const { output, error } = (response ?? {}) as Body;
        const shown = output ?? error ?? response;
        return { text: typeof shown === "string" ? shown : JSON.stringify(shown), failed: error !== undefined };
      }),
  answer: (reply, { body, path, id, inputTokens }) => {
    const parts =
      "text" in reply
        ? [{ text: wantsJson(body) ? JSON.stringify(SIDE_QUESTION) : reply.text }]
        : reply.calls.map(({ tool, input }, at) => ({
            functionCall: { id: `call_${callIdOf(id, at)}`, name: tool, args: input },
          }));
    const answer = {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata: {
        promptTokenCount: inputTokens,
        candidatesTokenCount: OUTPUT_TOKENS,
        totalTokenCount: inputTokens + OUTPUT_TOKENS,
      },
      responseId: id,
    };
    return path.includes("stream") ? eventStream([[undefined, answer]]) : json(answer);
  },
};

/** Whatever the agent asks on the side (who speaks next, which model is enough) finds its answer here. */
const SIDE_QUESTION = {
  reasoning: "scripted",
  next_speaker: "user",
  model_choice: "pro",
  complexity_reasoning: "scripted",
  complexity_score: 1,
};

function wantsJson(body: Body): boolean {
  return (body.generationConfig as Body | undefined)?.responseMimeType === "application/json";
}
