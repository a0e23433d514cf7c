import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readTomlKey, removeTomlKey, setTomlKey } from "../../../src/cli/init/edit-toml-key.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { spillwayArgs } from "../../support/mcp-peers.ts";

const run = promisify(execFile);

function makeHome(files: Readonly<Record<string, string>>): string {
  const home = temporaryFolder("init-hosts");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

async function init(home: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    XDG_DATA_HOME: join(home, ".data"),
  };
  const { stdout } = await run(process.execPath, await spillwayArgs("init", "--root", home, ...args), { env });
  return stdout;
}

const CASES: readonly [host: string, file: string, before: string | undefined, holds: RegExp][] = [
  [
    "claude-code",
    ".claude/settings.json",
    '{ // mine\r\n  "model": "x" }',
    /CLAUDE_CODE_SHELL_PREFIX": ".*\/claude-code\/front"/,
  ],
  ["claude-code", ".claude/settings.json", undefined, /CLAUDE_CODE_SHELL_PREFIX/],
  [
    "codex",
    ".codex/config.toml",
    '# mine\nmodel = "x"',
    /\[shell_environment_policy\.set\]\nBASH_ENV = ".*bash-env\.sh"/,
  ],
  [
    "codex",
    ".codex/config.toml",
    '[shell_environment_policy]\nset = { A = "1" } # keep\n',
    /\{ A = "1", BASH_ENV = ".*" \} # keep/,
  ],
  ["gemini", ".gemini/.env", "KEY=1\r\n", /KEY=1\r\nBASH_ENV=".*gemini\/bash-env\.sh"/],
  [
    "gemini",
    ".gemini/settings.json",
    '{\n  "context": { "includeDirectories": ["/a"] }\n}\n',
    /"\/a", ".*tool-output"/,
  ],
  ["qwen", ".qwen/.env", undefined, /BASH_ENV=".*qwen\/bash-env\.sh"/],
  ["pi", ".pi/agent/extensions/spillway.ts", undefined, /tool_result/],
  ["opencode", ".config/opencode/plugin/spillway.js", undefined, /tool\.execute\.after/],
  [
    "cursor",
    ".cursor/mcp.json",
    '{ "mcpServers": { "files": { "command": "node", "args": ["s.js"], "env": { "A": "1" } } } }',
    /"proxy", "--", "node", "s\.js"/,
  ],
];

describe("spillway init HOST", () => {
  test.each(CASES)("%s writes %s and gives back every byte", async (host, file, before, holds) => {
    const home = makeHome(before === undefined ? {} : { [file]: before });
    expect(await init(home, host, "--user", "--yes", "--dry-run")).toContain(file);
    expect(existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8") : undefined).toBe(before);
    const said = await init(home, host, "--user", "--yes");
    expect(said).not.toContain("FAIL");
    expect(said).toContain(`undo: spillway init ${host} --remove`);
    const after = readFileSync(join(home, file), "utf8");
    expect(after).toMatch(holds);
    expect(await init(home, host, "--user", "--yes")).toContain("nothing to do");
    expect(readFileSync(join(home, file), "utf8")).toBe(after);
    await init(home, host, "--remove", "--yes");
    expect(existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8") : undefined).toBe(before);
  });

  test("never overwrites another owner's key, and says whose it is", async () => {
    const text = '{ "env": { "CLAUDE_CODE_SHELL_PREFIX": "/opt/rtk" } }';
    const home = makeHome({ ".claude/settings.json": text, ".gemini/.env": "BASH_ENV=/my/env.sh\n" });
    await expect(init(home, "claude-code", "--yes")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/opt/rtk"),
    });
    await expect(init(home, "gemini", "--yes")).rejects.toMatchObject({
      stderr: expect.stringContaining("/my/env.sh"),
    });
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe(text);
  });

  test("takes only its own entries out of a file that was edited since", async () => {
    const home = makeHome({ ".claude/settings.json": '{\n  "model": "x"\n}\n' });
    await init(home, "claude-code", "--yes");
    const file = join(home, ".claude/settings.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"x"', '"y"'));
    await init(home, "claude-code", "--yes", "--remove");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ model: "y" });
  });

  test("--all does every agent that is there, and one does not take another's front away", async () => {
    const home = makeHome({ ".claude/settings.json": "{}", ".codex/config.toml": "" });
    const said = await init(home, "--all", "--yes");
    expect(said).toContain("ok   claude-code front");
    expect(said).toContain("ok   codex front");
    expect(said).not.toContain("Cursor");
    expect(await init(home, "qwen", "--yes")).not.toContain("FAIL");
    const doctor = await spillwayArgs("doctor", "--host", "claude-code");
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      XDG_STATE_HOME: join(home, ".state"),
      XDG_DATA_HOME: join(home, ".data"),
    };
    expect((await run(process.execPath, doctor, { env })).stdout).toContain("a small output passes");
  });

  test("--project writes the file that is not committed, and refuses where there is none", async () => {
    const home = makeHome({});
    await init(home, "claude-code", "--project", "--yes");
    expect(readFileSync(join(home, ".claude/settings.local.json"), "utf8")).toContain("CLAUDE_CODE_SHELL_PREFIX");
    await init(home, "claude-code", "--project", "--remove", "--yes");
    expect(existsSync(join(home, ".claude/settings.local.json"))).toBe(false);
    await expect(init(home, "codex", "--project", "--yes")).rejects.toMatchObject({ code: 2 });
  });
});

describe("a key in a TOML table", () => {
  const PLACE = ["policy", "set", "BASH_ENV"] as const;
  test.each([
    ["", 'a = "b"\n'],
    ["a table", '[policy.set]\nA = "1"\n\n[other]\nx = 1\n'],
    ["braces", '[policy]\nset = { A = "1" }\n[other]\n'],
    ["empty braces", "[policy]\nset = {}\n"],
  ])("is set, replaced, read and taken out: %s", (_, text) => {
    const set = setTomlKey(text, ...PLACE, "/x y");
    expect(readTomlKey(set, ...PLACE)).toBe("/x y");
    expect(readTomlKey(setTomlKey(set, ...PLACE, "/z"), ...PLACE)).toBe("/z");
    expect(removeTomlKey(set, ...PLACE).trimEnd()).toBe(text.trimEnd());
  });

  test("is refused where the table is written in another way", () => {
    expect(() => setTomlKey('policy = { set = { A = "1" } }\n', ...PLACE, "/x")).toThrow("by hand");
  });
});
