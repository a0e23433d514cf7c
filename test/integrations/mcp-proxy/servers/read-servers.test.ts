// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are filled in.
import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resolveTarget } from "../../../../src/integrations/mcp-proxy/servers/create-servers-links.ts";
import {
  expandVariables,
  isAllowed,
  parseServers,
  readServersFile,
} from "../../../../src/integrations/mcp-proxy/servers/read-servers.ts";
import { temporaryFolder } from "../../../support/folder.ts";

function written(text: string): string {
  const file = join(temporaryFolder("servers"), "mcp.json");
  writeFileSync(file, text);
  return file;
}

const sources = { root: "/project", environment: { TOKEN: "t0ken", EMPTY: "" }, inputs: { key: "by default" } };

function entryOf(settings: Record<string, unknown>) {
  return parseServers({ one: settings }, "mcp.json")[0]!;
}

describe("an mcp.json", () => {
  test.each([
    ["Claude and Cursor", '{ "mcpServers": { "one": { "command": "x" } } }'],
    ["VS Code", '{ // mine\n "servers": { "one": { "command": "x", }, }, "inputs": [] }'],
    ["settings of VS Code", '\uFEFF{ "mcp": { "servers": { "one": { "command": "x" } } } }'],
  ])("of %s", (_, text) => {
    expect(readServersFile(written(text)).servers).toEqual({ one: { command: "x" } });
  });

  test("complaints name the file and the line", () => {
    const file = written('{\n "mcpServers": {\n ]\n}');
    expect(() => readServersFile(file)).toThrow(`${file}:3 is not JSON`);
    expect(() => readServersFile(written("{}"))).toThrow("neither mcpServers (Claude, Cursor) nor servers (VS Code)");
    expect(() => readServersFile("/nowhere/mcp.json")).toThrow("Cannot read /nowhere/mcp.json");
  });

  test("names are such that hosts take them and tools can be told from servers", () => {
    const names = (...keys: string[]) =>
      parseServers(Object.fromEntries(keys.map((key) => [key, { command: "x" }])), "mcp.json").map(({ name }) => name);
    expect(names("Chrome DevTools", "a__b", "io.github/x-y")).toEqual(["Chrome_DevTools", "a_b", "io_github_x-y"]);
    expect(() => names("a b", "a.b")).toThrow("two servers would be called a_b; rename a.b");
    expect(() => names("…")).toThrow("is not a name");
  });

  test("what is switched off is left out", () => {
    expect(parseServers({ a: { disabled: true }, b: { enabled: false } }, "mcp.json")).toEqual([]);
  });

  test("lists of tools under the names that several agents give them", () => {
    for (const key of ["allow", "includeTools", "enabled_tools"]) {
      const entry = entryOf({ command: "x", [key]: ["read_*"] });
      expect([isAllowed(entry, "read_file"), isAllowed(entry, "write_file")], key).toEqual([true, false]);
    }
    for (const key of ["deny", "excludeTools", "disabled_tools", "disabledTools"]) {
      const entry = entryOf({ command: "x", [key]: ["delete.all"] });
      expect([isAllowed(entry, "delete.all"), isAllowed(entry, "delete_all")], key).toEqual([false, true]);
    }
    expect(() => entryOf({ command: "x", deny: "all" })).toThrow("mcp.json: one.deny must be a list of tool names");
  });
});

describe("variables", () => {
  test.each([
    ["Bearer ${TOKEN}", "Bearer t0ken"],
    ["${env:TOKEN}", "t0ken"],
    ["${NOT_SET:-other}${EMPTY:-full}", "otherfull"],
    ["${workspaceFolder}/${workspaceFolderBasename}", "/project/project"],
    ["${userHome}", homedir()],
    ["${input:key}", "by default"],
    ["$TOKEN ${} {TOKEN}", "$TOKEN ${} {TOKEN}"],
  ])("%s", (text, filled) => {
    expect(expandVariables(text, sources)).toBe(filled);
  });

  test("one that is not set is named", () => {
    expect(() => expandVariables("${NOPE}", sources)).toThrow("it needs NOPE, which is not set");
    expect(() => expandVariables("${input:git-hub}", sources)).toThrow("set SPILLWAY_INPUT_GIT_HUB");
  });
});

describe("where a server is", () => {
  test("a command inherits the environment, then the file, then its entry", () => {
    const envFile = join(temporaryFolder("servers"), ".env");
    writeFileSync(envFile, '# mine\nexport A=1\nB="two words"\nTOKEN=file # why\n');
    const settings = { command: "run", args: ["${TOKEN}"], envFile, env: { A: "entry" }, cwd: "sub" };
    expect(resolveTarget(entryOf(settings), sources)).toEqual({
      command: "run",
      args: ["t0ken"],
      cwd: "/project/sub",
      env: { EMPTY: "", A: "entry", B: "two words", TOKEN: "file" },
    });
  });

  test.each(["url", "serverUrl", "httpUrl"])("an address as %s", (key) => {
    const settings = { [key]: "https://example.test/mcp", headers: { Authorization: "Bearer ${TOKEN}" } };
    expect(resolveTarget(entryOf(settings), sources)).toEqual({
      url: "https://example.test/mcp",
      headers: { Authorization: "Bearer t0ken" },
    });
  });

  test.each([
    [{}, "it has neither command nor url"],
    [{ url: "file:///x" }, "its url must be an http or https address, not file:///x"],
    [{ type: "sse", url: "https://example.test/sse" }, "only Streamable HTTP is supported"],
    [{ command: 3 }, "its command must be a text"],
    [{ command: "x", args: "y" }, "its args must be a list"],
    [{ command: "x", envFile: "/nowhere/.env" }, "its envFile cannot be read"],
  ])("%j says what is wrong", (settings, complaint) => {
    expect(() => resolveTarget(entryOf(settings), sources)).toThrow(complaint);
  });
});
