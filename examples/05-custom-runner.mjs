// An application's own sub-agent, deep-research, beside the built-in explore. Both are called through Task.
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAgent, listSessions, loadModel } from "spillway/agent";
import { startScriptedModel } from "./scripted-model.mjs";

const root = await mkdtemp(path.join(tmpdir(), "spillway-example-"));
await writeFile(path.join(root, "pump.log"), `${"all is well\n".repeat(41)}FATAL: the pump broke\n`);

const RESEARCH_PROMPT = "You weigh sources against each other and report what they agree on.";
const provider = await startScriptedModel(scriptedAnswer);
const model = await loadModel("openai-compatible/scripted", { baseURL: provider.url });

const deepResearch = {
  agents: [
    {
      name: "deep-research",
      description: "Compares many sources and reports what they agree on.",
      use: "for questions that one file cannot answer.",
    },
  ],
  // The lineage links the child's session to the call and counts its depth; the answer passes the gate, so it may be long.
  async run({ prompt, lineage, signal }) {
    const child = createAgent({ model, root, lineage, system: RESEARCH_PROMPT, maxSteps: 20 });
    const { text, session } = await child.run(prompt, { signal });
    return { text, data: { session } };
  },
};

const agent = createAgent({ model, root, runners: [deepResearch] });
const outcome = await agent.run("Why did the pump stop, and does that happen elsewhere?");
provider.close();
console.log(outcome.text);
for (const { agent: name = "main", prompt } of listSessions(root)) console.log(`${name}: ${prompt}`);

assert.equal(outcome.reason, "done");
assert.match(outcome.text, /pump\.log:42/);
assert.match(outcome.text, /three plants/);
assert.deepEqual(
  listSessions(root)
    .map((session) => session.agent ?? "main")
    .sort(),
  ["deep-research", "explore", "main"],
);

/** What a model might say: two tasks at once, a search by explore, then the answer from both reports. */
function scriptedAnswer({ messages, tools }) {
  const results = messages.filter((message) => message.role === "tool").map((message) => JSON.parse(message.content));
  if (messages[0].content === RESEARCH_PROMPT)
    return { text: "Three reports describe it: three plants lost the same pump." };
  const canDelegate = tools.some((tool) => tool.function.name === "Task");
  if (!canDelegate && results.length === 0)
    return { calls: [{ name: "Grep", input: { pattern: "FATAL", path: "pump.log" } }] };
  if (!canDelegate) {
    const [{ file, line, text }] = results[0].data.matches;
    return { text: `Conclusion: it broke.\nEvidence:\n- ${file}:${line} ${text}` };
  }
  if (results.length === 0) {
    return {
      calls: [
        { name: "Task", input: { agent: "explore", prompt: "In pump.log, find why the pump stopped." } },
        { name: "Task", input: { agent: "deep-research", prompt: "Does this pump break elsewhere?" } },
      ],
    };
  }
  return { text: results.map((result) => result.data.content).join("\n\n") };
}
