import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { findHost } from "../../../src/integrations/hosts/find-host.ts";
import { pluginText } from "../../../src/integrations/hosts/plugin-files.ts";
import { spoolFolder } from "../../../src/integrations/hosts/program-folder.ts";
import { builtPackage } from "../../support/build.ts";
import { temporaryFolder } from "../../support/folder.ts";

const root = temporaryFolder("plugin");
const LONG = Array.from({ length: 5000 }, (_, at) => (at === 2500 ? "FATAL: out of tape" : `row ${at} copied`)).join(
  "\n",
);

/** The module that a host would load. */
async function loadPlugin(hostName: string): Promise<Record<string, never>> {
  const host = findHost(hostName);
  if (host.results?.by !== "plugin") throw new Error(`${hostName} has no plugin`);
  const file = join(root, `${hostName}.mjs`);
  writeFileSync(file, pluginText(host, host.results, (await builtPackage()).folder));
  return import(pathToFileURL(file).href);
}

beforeAll(() => {
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
  mkdirSync(spoolFolder(), { recursive: true });
  mkdirSync(join(root, ".git"));
});

type After = (input: object, output: Record<string, unknown>) => Promise<void>;

describe.each(["opencode", "kilo"])("the plugin of %s", (name) => {
  async function replaced(input: object, output: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { SpillwayPlugin } = (await loadPlugin(name)) as unknown as {
      SpillwayPlugin: (place: object) => Promise<Record<string, After>>;
    };
    const hooks = await SpillwayPlugin({ directory: root });
    await hooks["tool.execute.after"]?.(input, output);
    return output;
  }

  test("takes the whole output from the host's file, and says how the command ended", async () => {
    const file = join(root, `${name}-whole`);
    writeFileSync(file, LONG);
    const output = { output: LONG.slice(-30_000), metadata: { exit: 3, truncated: true, outputPath: file } };
    await replaced({ tool: "bash", args: { command: "x", description: "Copy the tape" } }, output);
    expect(output.output).toContain("FATAL: out of tape");
    expect(output.output).toContain("exit code 3");
    expect(Buffer.byteLength(output.output)).toBeLessThanOrEqual(9500);
    expect(readFileSync(file, "utf8")).toBe(LONG);
  });

  test("bounds the blocks of an MCP server, and leaves images alone", async () => {
    const image = { type: "image", data: "x".repeat(20_000), mimeType: "image/png" };
    const content = [{ type: "text", text: LONG }, image];
    await replaced({ tool: "tapes_read", args: {} }, { content });
    expect((content[0] as { text: string }).text).toContain("FATAL: out of tape");
    expect(content[1]).toBe(image);
    expect(image.data).toHaveLength(20_000);
  });

  test("bounds many blocks of an MCP server together, also where its folder was cleared away", async () => {
    rmSync(spoolFolder(), { recursive: true });
    const blocks = LONG.split("\n").map((text) => ({ type: "text", text }));
    const image = { type: "image", data: "x" };
    const { content } = await replaced({ tool: "tapes_read", args: {} }, { content: [...blocks, image] });
    expect(content).toEqual([{ type: "text", text: expect.stringContaining("FATAL: out of tape") }, image]);
    const few = { content: [{ type: "text", text: "a" }, image, { type: "text", text: "b" }] };
    expect(await replaced({ tool: "tapes_read", args: {} }, structuredClone(few))).toEqual(few);
  });

  test("leaves alone what is small, bounded already, read for an edit, or strange, and everything when switched off", async () => {
    expect((await replaced({ tool: "bash", args: {} }, { output: "small", metadata: {} })).output).toBe("small");
    const bounded = `${"x\n".repeat(6000)}…1a2b3c 895 lines omitted…\n\n[1a2b3c] Output truncated: 5 of 900 lines shown.`;
    expect((await replaced({ tool: "grep", args: {} }, { output: bounded, metadata: {} })).output).toBe(bounded);
    expect((await replaced({ tool: "read", args: {} }, { output: LONG, metadata: {} })).output).toBe(LONG);
    await expect(replaced({ tool: "odd" }, { content: [null, 1] })).resolves.toEqual({ content: [null, 1] });
    vi.stubEnv("SPILLWAY", "off");
    expect((await replaced({ tool: "bash", args: {} }, { output: LONG, metadata: {} })).output).toBe(LONG);
    vi.stubEnv("SPILLWAY", "");
  });
});

describe("the extension of pi", () => {
  type Handler = (event: object, context: object) => Promise<{ content: { text: string }[] } | undefined>;
  async function handlers(): Promise<Map<string, Handler>> {
    const loaded = (await loadPlugin("pi")) as unknown as Record<"default", (pi: object) => void>;
    const found = new Map<string, Handler>();
    loaded.default({ on: (name: string, handler: Handler) => found.set(name, handler) });
    return found;
  }

  test("shows what matters, keeps the exit state, and takes the user's prompt as the question", async () => {
    const on = await handlers();
    await on.get("before_agent_start")?.({ prompt: "which rows about row 4321" }, {});
    const event = {
      toolName: "bash",
      isError: true,
      details: {},
      content: [{ type: "text", text: `${LONG}\n\nCommand exited with code 7` }],
    };
    const text = (await on.get("tool_result")?.(event, { cwd: root }))?.content[0]?.text ?? "";
    expect(text).toContain("FATAL: out of tape");
    expect(text).toContain("row 4321 copied");
    expect(text.endsWith("Command exited with code 7")).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9500);
  });

  test("leaves small results and its reader's alone", async () => {
    const on = await handlers();
    const small = { toolName: "bash", content: [{ type: "text", text: "ok" }] };
    expect(await on.get("tool_result")?.(small, {})).toBeUndefined();
    const read = { toolName: "read", content: [{ type: "text", text: LONG }] };
    expect(await on.get("tool_result")?.(read, {})).toBeUndefined();
  });
});
