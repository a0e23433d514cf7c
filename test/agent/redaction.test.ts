import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import { useAgents } from "./harness.ts";

const start = useAgents();
/** Made here, so that no file of the project holds what looks like one. */
const token = (mark: string) => `ghp_${`${mark}0aB1cD2eF3`.repeat(4).slice(0, 36)}`;
const [first, second] = [token("a"), token("b")];

/** Everything that was saved below the root, sessions included. */
function saved(root: string): string {
  return readdirSync(join(root, ".agents"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

describe("an agent that redacts", () => {
  it("keeps secrets of outputs and of the prompt from the model and the session, and numbers them through", async () => {
    const h = await start([
      { calls: [{ name: "Read", input: { path: "a.env" } }] },
      { calls: [{ name: "Bash", input: { command: "cat b.env; seq 1 20000" } }] },
      { calls: [{ name: "Write", input: { path: "c.env", content: "X=[redacted:github-token#1]\n" } }] },
      { text: "done" },
    ]);
    writeFileSync(join(h.root, "a.env"), `A=${first}\nB=${second}\n`);
    writeFileSync(join(h.root, "b.env"), `B=${second}\n`);
    const outcome = await h.agent({ redact: true }).run(`Copy what ${second} is not.`);
    expect(outcome.reason).toBe("done");
    const sent = h.server.requests.map((request) => request.body).join("\n");
    expect(sent).toContain("Copy what [redacted:github-token#1] is not.");
    for (const line of ["A=[redacted:github-token#2]", "B=[redacted:github-token#1]"]) expect(sent).toContain(line);
    for (const secret of [first, second]) {
      expect(sent).not.toContain(secret);
      expect(saved(h.root)).not.toContain(secret);
    }
    expect(readFileSync(join(h.root, "c.env"), "utf8")).toBe(`X=${second}\n`);
  });

  it("refuses placeholders of an earlier run, redacting or not, and gives their numbers to nothing else", async () => {
    const h = await start([
      { calls: [{ name: "Read", input: { path: "a.env" } }] },
      { text: "seen" },
      { calls: [{ name: "Write", input: { path: "c.env", content: "X=[redacted:github-token#1]\n" } }] },
      { calls: [{ name: "Read", input: { path: "b.env" } }] },
      { text: "done" },
      { calls: [{ name: "Write", input: { path: "c.env", content: "X=[redacted:github-token#1]\n" } }] },
      { text: "done" },
    ]);
    writeFileSync(join(h.root, "a.env"), `A=${first}\n`);
    writeFileSync(join(h.root, "b.env"), `B=${second}\n`);
    const { session } = await h.agent({ redact: true }).run("look");
    await h.agent({ redact: true }).run("write it", { session });
    expect(h.lastResults().join("\n")).toContain("CONFLICT");
    expect(h.lastResults().join("\n")).toContain("[redacted:github-token#2]");
    await h.agent().run("write it", { session });
    expect(h.lastResults().at(-1)).toContain("CONFLICT");
    expect(readdirSync(h.root)).not.toContain("c.env");
  });

  it("takes redact beside a model, not beside a gate that was made without it", async () => {
    const h = await start([]);
    const spillway = createSpillway({ root: h.root });
    expect(() => h.agent({ spillway, redact: true })).toThrow(/redact is an option of createSpillway/);
  });
});
