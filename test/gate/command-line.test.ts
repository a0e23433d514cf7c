import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLineOf } from "../../src/gate/command-line.ts";
import { createSpillway, type Governed, ObservationTruncator } from "../../src/index.ts";
import { builtInTools, createToolRegistry } from "../../src/tools/index.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder("command-line");
const node = process.execPath;
const SCRIPT = "for (let i = 0; i < 300; i++) console.log('line', i)";

async function commandOf(governed: Governed): Promise<unknown> {
  if (governed.kind !== "bounded" || !("artifact" in governed.storage)) throw new Error("nothing was saved");
  const { id, path } = governed.storage.artifact;
  return JSON.parse(readFileSync(join(path, "..", ".meta", `${id}.json`), "utf8")).command;
}

describe("the manifest's command", () => {
  const spillway = createSpillway({ root, maxLines: 20 });

  it("is known to exec, with arguments and as a line", async () => {
    expect(await commandOf(await spillway.exec(node, ["-e", SCRIPT]))).toBe(
      `${node} -e '${SCRIPT.replaceAll("'", "'\\''")}'`,
    );
    expect(await commandOf(await spillway.exec("seq 1 300 | cat"))).toBe("seq 1 300 | cat");
  });

  it("is known of a process that was started elsewhere", async () => {
    expect(await commandOf(await spillway.governProcess(spawn("seq", ["1", "300"])))).toBe("seq 1 300");
    const line = "seq 1 300 && echo 'all done'";
    expect(await commandOf(await spillway.governProcess(spawn(line, { shell: true })))).toBe(line);
  });

  it("can be said for an output of any form", async () => {
    const text = "a line\n".repeat(300);
    for (const output of [text, Buffer.from(text), { value: text.split("\n") }, [text]])
      expect(await commandOf(await spillway.govern(output, { commandLine: "make -j4 all" }))).toBe("make -j4 all");
    expect(await commandOf(await spillway.govern(text))).toBeUndefined();
  });

  it("has no secrets where these are taken out, not even at the place where it is cut", async () => {
    const cleaned = createSpillway({ root, maxLines: 20, redact: true });
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8".slice(0, 36)}`;
    const line = `: ${"x".repeat(1985)} GITHUB_TOKEN=${token}; seq 1 300`;
    const command = await commandOf(await cleaned.exec(line));
    expect(String(command)).not.toContain("ghp_");
    expect(String(command).length).toBeLessThanOrEqual(2001);
    expect(await commandOf(await cleaned.exec("bash", ["-c", `: ${token}; seq 1 300`]))).not.toContain(token);
  });

  it("is known to the Bash tool", async () => {
    const gate = createSpillway({ root, maxLines: 20 });
    const registry = createToolRegistry({ spillway: gate, tools: builtInTools });
    const { governed } = await registry.call("Bash", { command: "seq 1 300; echo ok" });
    expect(await commandOf(governed!)).toBe("seq 1 300; echo ok");
  });

  it("is taken from an envelope's parameters", async () => {
    mkdirSync(join(root, "tool-output"), { recursive: true });
    const truncator = new ObservationTruncator({ root });
    const response = {
      status: "success" as const,
      data: { stdout: "a line of output\n".repeat(20_000) },
      text: "It ran.",
      stats: { time_ms: 1 },
      context: { cwd: ".", params_input: { command: "npm run build" } },
    };
    const answer = await truncator.truncate("Bash", response);
    const { full_output_path: path } = (answer.data as { truncation: { full_output_path: string } }).truncation;
    const id = /_([^_.]+)\.\w+$/.exec(path)?.[1];
    expect(JSON.parse(readFileSync(join(root, "tool-output/.meta", `${id}.json`), "utf8")).command).toBe(
      "npm run build",
    );
  });
});

it.each([
  [["npm", "test"], "npm test"],
  [["/bin/sh", "-c", "a && b"], "a && b"],
  [["bash", "-c", "a && b"], "bash -c 'a && b'"],
  [["echo", "it's", ""], "echo 'it'\\''s' ''"],
  [["node", "-e", "a\nb"], "node -e 'a\nb'"],
])("names %j as %j", (argv, line) => {
  expect(commandLineOf(argv)).toBe(line);
});
