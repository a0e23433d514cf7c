import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { builtInTools } from "../../../src/tools/built-in-tools.ts";
import { createToolRegistry } from "../../../src/tools/registry/registry.ts";
import { temporaryFolder } from "../../support/folder.ts";

/** Made here, so that no file of the project holds what looks like one. */
const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const PLACEHOLDER = "[redacted:github-token#1]";

function start(redact = true) {
  const root = temporaryFolder("registry-secrets");
  writeFileSync(join(root, "a.env"), `TOKEN=${secret}\nMODE=dev\n`);
  const registry = createToolRegistry({ spillway: createSpillway({ root, redact }), tools: builtInTools });
  const call = async (name: string, params: unknown) => (await registry.call(name, params)).response;
  const file = (name = "a.env") => readFileSync(join(root, name), "utf8");
  return { call, file };
}

describe("tools behind a gate that redacts", () => {
  it("show placeholders, also where they page or search by themselves", async () => {
    const { call } = start();
    for (const [name, params] of [
      ["Read", { path: "a.env" }],
      ["Grep", { pattern: "TOKEN" }],
      ["Bash", { command: "cat a.env" }],
    ] as const) {
      const answer = JSON.stringify(await call(name, params));
      expect(answer, name).toContain(PLACEHOLDER);
      expect(answer, name).not.toContain(secret);
    }
  });

  it("write the secret where a placeholder of this session stands, and show the change without it", async () => {
    const { call, file } = start();
    await call("Read", { path: "a.env" });
    const edited = await call("Edit", {
      path: "a.env",
      old_string: `TOKEN=${PLACEHOLDER}\nMODE=dev`,
      new_string: `TOKEN=${PLACEHOLDER}\nMODE=live`,
    });
    expect(edited.status).toBe("success");
    expect(file()).toBe(`TOKEN=${secret}\nMODE=live\n`);
    const written = await call("Write", { path: "b.env", content: `COPY=${PLACEHOLDER}\n` });
    expect(file("b.env")).toBe(`COPY=${secret}\n`);
    const ran = await call("Bash", { command: `printf '%s' '${PLACEHOLDER}' > c.env; echo ${PLACEHOLDER}` });
    expect(file("c.env")).toBe(secret);
    expect(JSON.stringify([edited, written, ran])).not.toContain(secret);
  });

  it("refuse a placeholder that nothing is known of, and do nothing", async () => {
    const { call, file } = start();
    for (const [name, params] of [
      ["Write", { path: "a.env", content: "TOKEN=[redacted:jwt#7]\n" }],
      ["Edit", { path: "a.env", old_string: "MODE=dev", new_string: "MODE=[redacted:jwt#7]" }],
      ["Bash", { command: "echo '[redacted:jwt#7]' > a.env" }],
    ] as const) {
      const answer = await call(name, params);
      expect(answer).toMatchObject({ status: "error", error: { code: "CONFLICT" }, data: { applied: false } });
      expect(answer.text, name).toContain("[redacted:jwt#7]");
    }
    expect(file()).toBe(`TOKEN=${secret}\nMODE=dev\n`);
  });

  it("leave placeholders to readers, who may look for them in what was saved", async () => {
    const { call } = start();
    await call("Write", { path: "note.txt", content: "x" });
    expect((await call("Grep", { pattern: "\\[redacted:jwt#7\\]" })).status).toBe("success");
  });

  it("leave everything as it is where the gate does not redact", async () => {
    const { call, file } = start(false);
    expect(JSON.stringify(await call("Read", { path: "a.env" }))).toContain(secret);
    await call("Write", { path: "b.md", content: "like [redacted:jwt#7]\n" });
    expect(file("b.md")).toBe("like [redacted:jwt#7]\n");
  });
});
