import type { ModelRequest, ScriptedReply } from "../support/model-server.ts";

/** A model that runs the build, looks for the error in what was saved, and says what it is. */
export function answer({ toolResults, userTexts }: ModelRequest): ScriptedReply {
  const asked = userTexts.filter((text) => /build fail/i.test(text)).length > 0;
  const [first] = toolResults;
  if (asked && first === undefined) {
    const input = { command: "node examples/noisy-build.mjs" };
    return { text: "I will run the build.", calls: [{ id: "call_1", name: "Bash", input }] };
  }
  if (first !== undefined && toolResults.length === 1) {
    const [, path = "."] = /"artifact_path": ?"([^"]+)"/.exec(first.text) ?? [];
    return { calls: [{ id: "call_2", name: "Grep", input: { pattern: "error TS", path } }] };
  }
  return { text: "The build fails on one type error, TS2345." };
}
