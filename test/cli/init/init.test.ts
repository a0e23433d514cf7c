import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readJsonEntry,
  removeJsonEntry,
  removeJsonItems,
  setJsonEntry,
  setJsonItem,
} from "../../../src/cli/init/edit-jsonc.ts";
import { removeTomlEntry, setTomlEntry } from "../../../src/cli/init/edit-toml.ts";
import { spillwayArgs, temporaryRoot } from "../../support/mcp-peers.ts";

const run = promisify(execFile);

async function init(root: string, ...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    HOME: root,
    CODEX_HOME: join(root, ".codex"),
    XDG_CONFIG_HOME: join(root, ".config"),
    XDG_STATE_HOME: join(root, ".state"),
    APPDATA: root,
  };
  const { stdout } = await run(process.execPath, await spillwayArgs("init", "--root", root, ...args), { env });
  return stdout;
}

const FILES: readonly [host: string, file: string, before: string][] = [
  ["claude-code", ".mcp.json", '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n'],
  ["cursor", ".cursor/mcp.json", '{\n\t"mcpServers": {}\n}\n'],
  [
    "vscode",
    ".vscode/mcp.json",
    '{\n  // mine\n  "servers": {\n    "other": { "command": "x" }, // keep\n  },\n  "inputs": [],\n}\n',
  ],
  ["gemini", ".gemini/settings.json", '{ "theme": "dark" }\n'],
  [
    "opencode",
    "opencode.json",
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": { "a": { "type": "local", "command": ["a"] } }\n}\n',
  ],
  ["codex", ".codex/config.toml", '# my settings\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'],
];

/** The entry of Spillway's own tools. */
const OWN = ["--name", "spillway"];

describe("spillway init", () => {
  test.each(FILES)("%s: writes, keeps the rest, says what it did, and undoes it", async (host, file, before) => {
    const root = temporaryRoot();
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, before);
    const said = await init(root, host, "--yes", ...OWN);
    expect(said).toContain(path);
    expect(said).toContain(`init ${host} --name spillway --remove`);
    const after = readFileSync(path, "utf8");
    expect(after).toContain("spillway");
    for (const piece of ["// mine", "// keep", "# my settings", "other", "theme"])
      if (before.includes(piece)) expect(after).toContain(piece);
    expect(await init(root, host, "--yes", ...OWN)).toContain("already");
    await init(root, host, "--yes", ...OWN, "--remove");
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(await init(root, host, "--yes", ...OWN, "--remove")).toContain("nothing to do");
  });

  test.each([
    ["comments and no final newline", '{ // mine\n  "mcpServers": {} /* none yet */ }'],
    ["CRLF", '{\r\n\t"theme": "dark",\r\n}\r\n'],
    ["a byte order mark", "\ufeff{}"],
    ["nothing", ""],
    ["only a comment", "{\n  // only comment\n}"],
  ])("--remove gives back every byte: %s", async (_, before) => {
    const root = temporaryRoot();
    const path = join(root, ".mcp.json");
    writeFileSync(path, before);
    await init(root, "claude-code", "--yes", ...OWN);
    await init(root, "claude-code", "--yes", "--name", "second", "--", "node", "server.js");
    expect(
      JSON.parse(
        readFileSync(path, "utf8")
          .replace(/^\ufeff/, "")
          .replaceAll(/\/\/.*|\/\*.*?\*\/|,(?=\s*})/g, ""),
      ).mcpServers.second,
    ).toBeDefined();
    await init(root, "claude-code", "--yes", "--name", "second", "--remove");
    await init(root, "claude-code", "--yes", ...OWN, "--remove");
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("--remove takes away a file and folders that it made itself, and keeps what was edited since", async () => {
    const root = temporaryRoot();
    await init(root, "cursor", "--yes", ...OWN);
    await init(root, "cursor", "--yes", ...OWN, "--remove");
    expect(existsSync(join(root, ".cursor"))).toBe(false);

    await init(root, "cursor", "--yes", ...OWN);
    const path = join(root, ".cursor", "mcp.json");
    writeFileSync(path, readFileSync(path, "utf8").replace("{", '{ "mine": 1,'));
    await init(root, "cursor", "--yes", ...OWN, "--remove");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ mine: 1 });
  });

  test("a server after -- goes behind the proxy", async () => {
    const root = temporaryRoot();
    await init(root, "claude-code", "--yes", "--name", "files", "--", "node", "server.js", "--flag");
    const { mcpServers } = JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8"));
    expect(mcpServers.files.args).toEqual([
      "-y",
      "spillway",
      "proxy",
      "--name",
      "files",
      "--",
      "node",
      "server.js",
      "--flag",
    ]);
  });

  test("without a terminal and --yes nothing is written; broken files and unknown hosts are left alone", async () => {
    const root = temporaryRoot();
    await expect(init(root, "cursor", ...OWN)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect(existsSync(join(root, ".cursor"))).toBe(false);
    writeFileSync(join(root, ".mcp.json"), "{ broken");
    await expect(init(root, "claude-code", "--yes", ...OWN)).rejects.toMatchObject({ code: 2 });
    expect(readFileSync(join(root, ".mcp.json"), "utf8")).toBe("{ broken");
    await expect(init(root, "emacs", "--yes")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("claude-code"),
    });
  });
});

describe("editing", () => {
  const names = fc.stringMatching(/^[a-z]{1,6}$/).filter((name) => name !== "spillway");
  const config = fc.dictionary(names, fc.jsonValue());

  test("whatever JSON is there: the entry is set, the rest equal, and removing gives the rest back", () => {
    fc.assert(
      fc.property(
        config,
        fc.dictionary(names, fc.jsonValue()),
        fc.constantFrom(undefined, 2, "\t"),
        (others, servers, indent) => {
          const before = JSON.parse(JSON.stringify({ ...others, servers }));
          const set = setJsonEntry(JSON.stringify(before, null, indent), "servers", "spillway", { command: "npx" });
          expect(JSON.parse(set)).toEqual({ ...before, servers: { ...before.servers, spillway: { command: "npx" } } });
          const removed = JSON.parse(removeJsonEntry(set, "servers", "spillway"));
          expect(removed).toEqual(
            Object.keys(servers).length > 0 ? before : (({ servers: _, ...rest }) => rest)(before),
          );
        },
      ),
    );
  });

  test("an object on one line stays on one line, and removing gives back every byte", () => {
    const before = '{\n  // mine\n  "servers": { "other": { "command": "x" } },\n}\n';
    const set = setJsonEntry(before, "servers", "spillway", { command: "npx", args: ["a b"] });
    expect(set).toContain('{ "other": { "command": "x" }, "spillway": { "command": "npx", "args": [ "a b" ] } },');
    expect(setJsonEntry(set, "servers", "spillway", { command: "npx", args: ["a b"] })).toBe(set);
    expect(removeJsonEntry(set, "servers", "spillway")).toBe(before);
  });

  test.each([
    ["CRLF", '{\r\n\t"servers": {\r\n\t\t"other": {}\r\n\t}\r\n}\r\n'],
    ["CRLF and a comment behind", '{\r\n  "servers": {\r\n    "other": {}, // mine\r\n  },\r\n}\r\n'],
    ["no final newline", '{\n  "theme": "dark" // mine\n}'],
    ["only a comment", "{\n  // only comment\n}"],
    ["a byte order mark", '\ufeff{\n  "a": 1\n}\n'],
  ])("removing an entry gives back every byte without a record: %s", (_, before) => {
    const set = setJsonEntry(before, "servers", "spillway", { command: "npx", args: [1, "//"] });
    expect(readJsonEntry(set, "servers", "spillway")).toEqual({ command: "npx", args: [1, "//"] });
    expect(set.includes("\r\n") ? set.replaceAll("\r\n", "") : "").not.toContain("\n");
    expect(removeJsonEntry(set, "servers", "spillway")).toBe(before);
  });

  test("a comment before a comma further down is no part of what an entry is put behind", () => {
    const before = '{\n  "servers": {\n    "a": 1 /* one */\n  },\n  "b": 2 /* two */,\n  "c": 3\n}\n';
    const set = setJsonEntry(before, "servers", "spillway", "x");
    expect(set).toBe(
      before.replace("/* one */", '/* one */,\n    "spillway": "x"').replace("1 /* one */,", "1, /* one */"),
    );
  });

  test.each([
    ["a comma in a comment", '{ "servers": { "a": 1 /* one, two */, "spillway": {} } }', { a: 1 }],
    ["a comment before the last entry", '{ "servers": {\n  "a": 1, // one\n  "spillway": {} } }', { a: 1 }],
    ["comments around it", '{ "servers": { // one\n  "spillway": {} /* two */, "b": 2 } }', { b: 2 }],
    ["a comment behind its comma", '{ "servers": { // one\n  "spillway": {}, "b": 2 } }', { b: 2 }],
  ])("comments stay where an entry goes, and nothing becomes part of one: %s", (_, text, left) => {
    const removed = removeJsonEntry(text, "servers", "spillway");
    expect(readJsonEntry(removed, "servers")).toEqual(left);
    expect(removed).not.toMatch(/,\s*\}/);
    for (const comment of text.match(/\/\*.*?\*\/|\/\/.*/g) ?? []) expect(removed).toContain(comment);
  });

  test.each(["{", '{ "a": }', '{ "a": 1 } x', "[]", '{ "a" 1 }', "{ a: 1 }", "/* open"])(
    "what is not JSON is refused and named by its place: %s",
    (text) => {
      expect(() => setJsonEntry(text, "servers", "x", {})).toThrow(/not JSON \(at character \d+\)/);
    },
  );

  test("TOML: sets the keys of its own table in place, and takes out that table only", () => {
    const before =
      '[a]\nx = 1\n\n[mcp_servers.spillway]\ncommand = "old"\n\n[mcp_servers.spillway.env]\nA = "1"\n\n\n[b]\ny = 2\n';
    const after = setTomlEntry(before, "mcp_servers", "spillway", { command: "new", args: ["a"] });
    expect(after).toBe(before.replace('command = "old"\n', 'command = "new"\nargs = ["a"]\n'));
    expect(removeTomlEntry(after, "mcp_servers", "spillway")).toBe("[a]\nx = 1\n\n[b]\ny = 2\n");
  });

  test.each([
    ["CRLF", "# mine\r\n[a]\r\nx = 1\r\n"],
    ["no final newline", "[a]\n\n\n\nx = 1"],
    ["nothing", ""],
    ["a string that looks like a table", 'x = """\n[mcp_servers.spillway]\n"""\n'],
  ])("TOML: a new table is added behind, and taken out with every other byte kept: %s", (_, before) => {
    const after = setTomlEntry(before, "mcp_servers", "spillway", { command: "npx", args: [] });
    expect(after.startsWith(before)).toBe(true);
    expect(after.replaceAll("\r\n", "").includes("\n")).toBe(!before.includes("\r\n"));
    expect(removeTomlEntry(after, "mcp_servers", "spillway").trimEnd()).toBe(before.trimEnd());
  });

  test.each([
    ["no file", ""],
    ["nothing of the kind", '{\n  "a": 1\n}\n'],
    ["a list on one line", '{ "hooks": { "After": [{ "command": "mine" }] } }'],
    [
      "comments",
      '{\n  "hooks": {\n    // all of mine\n    "After": [\n      { "command": "mine" } // first\n      // last\n    ]\n  }\n}\n',
    ],
    ["only a comment", '{\n  "hooks": {\n    "After": [\n      // none yet\n    ]\n  }\n}\n'],
    ["CRLF and a comma behind", '{\r\n\t"hooks": {\r\n\t\t"After": [\r\n\t\t\t"mine",\r\n\t\t]\r\n\t}\r\n}\r\n'],
  ])("an item of a list is set once, replaced and taken out, with comments kept: %s", (_, before) => {
    const isOwn = (item: unknown): boolean => (item as { command?: string }).command?.startsWith("ours") === true;
    const set = setJsonItem(before, "hooks", "After", { command: "ours 1" }, isOwn);
    const again = setJsonItem(set, "hooks", "After", { command: "ours 2" }, isOwn);
    expect(setJsonItem(again, "hooks", "After", { command: "ours 2" }, isOwn)).toBe(again);
    const list = readJsonEntry(again, "hooks", "After") as unknown[];
    expect(list.filter(isOwn)).toEqual([{ command: "ours 2" }]);
    for (const comment of before.match(/\/\/.*/g) ?? []) expect(again).toContain(comment.trim());
    if (before.includes("\r\n")) expect(again.replaceAll("\r\n", "")).not.toContain("\n");
    const removed = removeJsonItems(again, "hooks", "After", isOwn);
    const mine = before === "" ? undefined : readJsonEntry(before, "hooks", "After");
    expect(removed.trim() === "" ? undefined : readJsonEntry(removed, "hooks", "After")).toEqual(mine);
    for (const comment of before.match(/\/\/.*/g) ?? []) expect(removed).toContain(comment.trim());
  });
});
