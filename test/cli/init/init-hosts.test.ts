import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readTomlKey, removeTomlKey, setTomlKey } from "../../../src/cli/init/edit-toml.ts";
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
    SHELL: "/bin/bash",
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    XDG_DATA_HOME: join(home, ".data"),
  };
  const { stdout } = await run(process.execPath, await spillwayArgs("init", "--root", home, ...args), { env });
  return stdout;
}

async function doctor(home: string, host: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SHELL: "/bin/bash",
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    XDG_DATA_HOME: join(home, ".data"),
  };
  return (await run(process.execPath, await spillwayArgs("doctor", "--host", host), { env })).stdout;
}

const CASES: readonly [host: string, file: string, before: string | undefined, holds: RegExp][] = [
  [
    "claude-code",
    ".claude/settings.json",
    '{ // mine\r\n  "model": "x" }',
    /CLAUDE_CODE_SHELL": ".*\/\.claude\/spillway\/(?:ba|z)sh"/,
  ],
  ["claude-code", ".claude/settings.json", undefined, /CLAUDE_CODE_SHELL"/],
  [
    "claude-code",
    ".claude/settings.json",
    '{ "env": { "CLAUDE_CODE_SHELL": "/opt/bash" } }',
    /SPILLWAY_SHELL": "\/opt\/bash", "CLAUDE_CODE_SHELL": "|CLAUDE_CODE_SHELL": ".*SPILLWAY_SHELL": "\/opt\/bash"/,
  ],
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
  ["qwen", ".qwen/settings.json", '{\n  "context": { "includeDirectories": ["/a"] }\n}\n', /"\/a", ".*tool-output"/],
  ["gemini", ".gemini/settings.json", undefined, /"AfterTool"[\s\S]*"run_shell_command\|[\s\S]*gemini\/hook/],
  [
    "qwen",
    ".qwen/settings.json",
    '{ "env": { "A": "1" } }',
    /"PostToolUseFailure": [\s\S]*qwen\/hook PostToolUseFailure/,
  ],
  ["pi", ".pi/agent/extensions/spillway.ts", undefined, /tool_result/],
  ["opencode", ".config/opencode/plugin/spillway.js", undefined, /tool\.execute\.after/],
  [
    "cursor",
    ".cursor/mcp.json",
    '{ "mcpServers": { "files": { "command": "node", "args": ["s.js"], "env": { "A": "1" } } } }',
    /"proxy", "--host", "cursor", "--name", "files", "--", "node", "s\.js"/,
  ],
];

describe("spillway init HOST", () => {
  test.each(CASES)("%s writes %s and gives back every byte", async (host, file, before, holds) => {
    const home = makeHome(before === undefined ? {} : { [file]: before });
    expect(await init(home, host, "--user", "--yes", "--dry-run")).toContain(file);
    expect(existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8") : undefined).toBe(before);
    const said = await init(home, host, "--user", "--yes");
    expect(said).not.toContain("FAIL");
    expect(said).toContain(`To undo: spillway init ${host} --remove`);
    const after = readFileSync(join(home, file), "utf8");
    expect(after).toMatch(holds);
    expect(await init(home, host, "--user", "--yes")).toContain("nothing to do");
    expect(readFileSync(join(home, file), "utf8")).toBe(after);
    await init(home, host, "--remove", "--yes");
    expect(existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8") : undefined).toBe(before);
  });

  test("never overwrites another owner's key, and says whose it is", async () => {
    const text = '[shell_environment_policy]\nset = { BASH_ENV = "/opt/rtk" }\n';
    const home = makeHome({ ".codex/config.toml": text, ".gemini/.env": "BASH_ENV=/my/env.sh\n" });
    await expect(init(home, "codex", "--yes")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/opt/rtk"),
    });
    await expect(init(home, "gemini", "--yes")).rejects.toMatchObject({
      stderr: expect.stringContaining("/my/env.sh"),
    });
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe(text);
  });

  test("leaves a prefix of another owner alone, and replaces its own of an earlier version", async () => {
    for (const [prefix, stays] of [
      ["/opt/rtk", true],
      ["/home/u/.local/share/spillway/program/hosts/claude-code/front", false],
    ] as const) {
      const home = makeHome({ ".claude/settings.json": `{ "env": { "CLAUDE_CODE_SHELL_PREFIX": "${prefix}" } }` });
      expect(await init(home, "claude-code", "--yes")).not.toContain("FAIL");
      const file = join(home, ".claude/settings.json");
      expect(readFileSync(file, "utf8").includes("SHELL_PREFIX")).toBe(stays);
      writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
      await init(home, "claude-code", "--yes", "--remove");
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(
        stays ? { env: { CLAUDE_CODE_SHELL_PREFIX: prefix } } : {},
      );
      expect(existsSync(join(home, ".claude/spillway"))).toBe(false);
    }
  });

  test("gives back a shell that the user had chosen, also in a file that was edited since", async () => {
    const home = makeHome({ ".claude/settings.json": '{ "env": { "CLAUDE_CODE_SHELL": "/opt/zsh" } }' });
    const file = join(home, ".claude/settings.json");
    await init(home, "claude-code", "--yes");
    await init(home, "claude-code", "--yes");
    expect(JSON.parse(readFileSync(file, "utf8")).env.SPILLWAY_SHELL).toBe("/opt/zsh");
    writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
    await init(home, "claude-code", "--yes", "--remove");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ env: { CLAUDE_CODE_SHELL: "/opt/zsh" } });
  });

  test("takes only its own entries out of a file that was edited since", async () => {
    const home = makeHome({ ".claude/settings.json": '{\n  "model": "x"\n}\n' });
    await init(home, "claude-code", "--yes");
    const file = join(home, ".claude/settings.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"x"', '"y"'));
    await init(home, "claude-code", "--yes", "--remove");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ model: "y" });
  });

  test("takes the program along with the last agent, and not before", async () => {
    const home = makeHome({ ".claude/settings.json": "{}\n", ".codex/config.toml": "" });
    const program = join(home, ".data/spillway");
    await init(home, "claude-code", "--yes");
    await init(home, "codex", "--yes");
    mkdirSync(join(program, "0.0.1/hosts/codex"), { recursive: true });
    await init(home, "claude-code", "--results", "--remove", "--yes");
    const front = readFileSync(join(home, ".claude/settings.json"), "utf8").match(
      /"CLAUDE_CODE_SHELL": "([^"]*)"/,
    )?.[1];
    expect(existsSync(front ?? "")).toBe(true);
    expect(await init(home, "claude-code", "--remove", "--yes")).not.toContain("which nothing uses");
    expect(existsSync(program)).toBe(true);
    expect(await init(home, "codex", "--remove", "--yes")).toContain("which nothing uses any more");
    expect(existsSync(program)).toBe(false);
  });

  test("leaves the program where a server of an agent still starts it", async () => {
    const home = makeHome({ ".cursor/mcp.json": '{ "mcpServers": { "a": { "command": "a" } } }' });
    await init(home, "cursor", "--mcp", "--yes");
    await init(home, "claude-code", "--yes");
    await init(home, "claude-code", "--remove", "--yes");
    expect(existsSync(join(home, ".data/spillway"))).toBe(true);
    await init(home, "cursor", "--remove", "--yes");
    expect(existsSync(join(home, ".data/spillway"))).toBe(false);
  });

  test("removes the program of an agent that has no settings, and leaves nothing of the trial", async () => {
    const home = makeHome({});
    expect(await init(home, "continue", "--yes")).toContain("ok   continue wrapper");
    expect(await init(home, "gemini", "--yes")).toContain("ok   gemini hook");
    expect(existsSync(join(home, ".state/spillway/tool-output"))).toBe(true);
    expect(readdirSync(join(home, ".state/spillway/tool-output"))).toEqual([]);
    await init(home, "gemini", "--remove", "--yes");
    expect(existsSync(join(home, ".data/spillway"))).toBe(true);
    expect(await init(home, "continue", "--remove", "--yes")).toContain("which nothing uses any more");
    expect(existsSync(join(home, ".data/spillway"))).toBe(false);
  });

  test("--all does every agent that is there, and one does not take another's wrapper away", async () => {
    const home = makeHome({ ".claude/settings.json": "{}", ".codex/config.toml": "" });
    const said = await init(home, "--all", "--yes");
    expect(said).toContain("ok   claude-code wrapper");
    expect(said).toContain("ok   codex wrapper");
    expect(said).not.toContain("Cursor");
    expect(await init(home, "qwen", "--yes")).not.toContain("FAIL");
    const doctor = await spillwayArgs("doctor", "--host", "claude-code");
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      XDG_STATE_HOME: join(home, ".state"),
      XDG_DATA_HOME: join(home, ".data"),
    };
    expect((await run(process.execPath, doctor, { env })).stdout).toContain("small output passes unchanged");
  });

  test("says of each agent in three lines what it would do, and leaves out one whose key is another's", async () => {
    const home = makeHome({
      ".claude/settings.json": "{}",
      ".gemini/.env": "BASH_ENV=/my/env.sh\n",
      ".cursor/mcp.json": '{ "mcpServers": { "files": { "command": "a" }, "far": { "url": "https://example.com" } } }',
    });
    const said = await init(home, "--dry-run");
    expect(said.replaceAll(/^ {4}[-+].*\n/gm, "")).toContain(
      [
        "Claude Code: bound what its shell prints and the results of its other tools.",
        "  add to ~/.claude/settings.json: env.CLAUDE_CODE_SHELL; hooks.PostToolUse",
        "  unchanged: the commands you approve, your permission rules, and output up to 9,000 bytes.",
        "  note: Claude Code starts ~/.claude/spillway/bash as its shell; that is created too.",
        "Gemini CLI: left out.",
        "  BASH_ENV in ~/.gemini/.env is set by something else (/my/env.sh); it was left as it is.",
        "Cursor: put its MCP servers behind the proxy.",
        "  add to ~/.cursor/mcp.json: files behind the proxy",
        "  unchanged: its built-in shell, because only Cursor's MCP servers can be reached.",
        "  note: left alone: far: the agent does not start it by a command.",
        said.match(/^The program that agents start \(\d+\.\d MB\) is copied to ~\/.*$/m)?.[0],
        "Nothing was changed (--dry-run).",
      ].join("\n"),
    );
  });

  test("refuses a file that is not UTF-8, of which writing it again would lose bytes", async () => {
    const home = makeHome({ ".gemini/.env": "" });
    const before = Buffer.from("KEY=p\xe4ss\n", "latin1");
    writeFileSync(join(home, ".gemini/.env"), before);
    await expect(init(home, "gemini", "--yes")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(".env is not UTF-8"),
    });
    expect(readFileSync(join(home, ".gemini/.env")).equals(before)).toBe(true);
  });

  test("an agent whose file can be neither read nor written keeps no other from it, and is told", async () => {
    const home = makeHome({ ".claude/x": "", ".qwen/settings.json": "{}", ".config/opencode/plugin": "no folder" });
    mkdirSync(join(home, ".claude/settings.json"));
    await expect(init(home, "--all", "--yes")).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /Claude Code: left out\.\n {2}~.*settings\.json cannot be read[\s\S]*opencode: (?:not done|left out)\.\n {2}[\s\S]*undo: spillway init qwen/,
      ),
    });
    expect(readFileSync(join(home, ".qwen/settings.json"), "utf8")).toContain("PostToolUse");
  });

  test("finds what an older version wrote, and takes it over when it is run again", async () => {
    const home = makeHome({
      ".claude/settings.json": "{}",
      ".cursor/mcp.json": '{ "mcpServers": { "a": { "command": "a" } } }',
    });
    expect(await init(home, "--all", "--yes")).not.toContain("FAIL");
    const files = [".claude/settings.json", ".cursor/mcp.json"].map((name) => join(home, name));
    const now = files.map((file) => readFileSync(file, "utf8"));
    for (const [at, file] of files.entries())
      writeFileSync(file, now[at]!.replaceAll("spillway/program/", "spillway/0.0.1/"));
    await expect(doctor(home, "claude-code")).rejects.toMatchObject({
      stdout: expect.stringContaining("names version 0.0.1"),
    });
    await expect(doctor(home, "cursor")).rejects.toMatchObject({ stdout: expect.stringContaining("a in ") });
    expect(await init(home, "--all", "--yes")).not.toContain("FAIL");
    expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(now);
    rmSync(join(home, ".data"), { recursive: true });
    await expect(doctor(home, "claude-code")).rejects.toMatchObject({ stdout: expect.stringContaining("is missing") });
    await init(home, "--all", "--yes");
    expect(await doctor(home, "claude-code")).not.toContain("FAIL");
  });

  test("writes no version into any file of an agent, and removes the folders of older versions that none names", async () => {
    const home = makeHome({ ".claude/settings.json": "{}", ".codex/config.toml": "" });
    await init(home, "codex", "--yes");
    const codex = join(home, ".codex/config.toml");
    writeFileSync(codex, readFileSync(codex, "utf8").replaceAll("spillway/program/", "spillway/0.0.2/"));
    for (const version of ["0.0.1", "0.0.2"])
      mkdirSync(join(home, ".data/spillway", version, "hosts"), { recursive: true });
    const said = await init(home, "claude-code", "--yes");
    expect(said).toContain("Removed version 0.0.1.");
    expect(existsSync(join(home, ".data/spillway/0.0.2"))).toBe(true);
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).not.toMatch(/spillway\/\d/);
    expect(await init(home, "codex", "--yes")).toContain("Removed version 0.0.2.");
  });

  const ENV_FILES: readonly [name: string, files: Readonly<Record<string, string>>][] = [
    ["the home folder", { ".env": "GEMINI_API_KEY=k\n" }],
    ["the home folder, with CRLF", { ".env": "A=1\r\n", ".gemini/settings.json": "{}" }],
    ["nowhere", {}],
  ];
  test.each(ENV_FILES)("makes no .env that hides one in %s", async (_, files) => {
    const home = makeHome(files);
    for (const host of ["gemini", "qwen"]) await init(home, host, "--yes");
    for (const file of [".gemini/.env", ".qwen/.env"]) expect(existsSync(join(home, file))).toBe(false);
    for (const [name, text] of Object.entries(files))
      if (name === ".env") expect(readFileSync(join(home, name), "utf8")).toBe(text);
  });

  test.each([
    ["qwen", "KEY=1\n"],
    ["qwen", ""],
    ["gemini", ""],
  ])("removes what an earlier version left in the .env of %s", async (host, rest) => {
    const file = `.${host}/.env`;
    const old = `${rest}BASH_ENV="/home/u/.local/share/spillway/0.1.0/hosts/${host}/bash-env.sh"\n`;
    const home = makeHome({ [file]: old });
    await init(home, host, "--yes");
    expect(existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8") : "").toBe(rest);
  });

  test("removes the folder that an earlier version named in Gemini CLI's settings, which must not be missing", async () => {
    const home = makeHome({});
    const file = join(home, ".gemini/settings.json");
    mkdirSync(dirname(file));
    const context = { includeDirectories: ["/a", join(home, ".state/spillway/tool-output")] };
    writeFileSync(file, JSON.stringify({ context }));
    await init(home, "gemini", "--yes");
    expect(JSON.parse(readFileSync(file, "utf8")).context).toEqual({ includeDirectories: ["/a"] });
  });

  test.each([
    ["claude-code", ".claude/settings.json", '{ "model": "x", }x'],
    ["gemini", ".gemini/settings.json", "{ no }"],
    ["cursor", ".cursor/mcp.json", "[]"],
  ])("names the file that %s cannot be read from", async (host, file, text) => {
    const home = makeHome({ [file]: text });
    await expect(init(home, host, "--yes")).rejects.toMatchObject({ stderr: expect.stringContaining(file) });
    expect(existsSync(join(home, ".data"))).toBe(false);
  });

  const READ_ONLY: readonly [what: string, file: string, lock: (home: string, file: string) => void][] = [
    ["file", ".claude/settings.json", (home, file) => chmodSync(join(home, file), 0o444)],
    ["folder", ".claude/settings.json", (home) => chmodSync(join(home, ".claude"), 0o555)],
    [
      "link into a store",
      ".claude/settings.json",
      (home, file) => {
        const store = join(home, "store-settings.json");
        renameSync(join(home, file), store);
        chmodSync(store, 0o444);
        symlinkSync(store, join(home, file));
      },
    ],
  ];
  test.each(READ_ONLY)("explains a read-only %s with the lines to add, and writes nothing", async (_, file, lock) => {
    const home = makeHome({ [file]: '{ "model": "x" }\n' });
    lock(home, file);
    const failed = await init(home, "claude-code", "--yes").catch((error: unknown) => error as { stderr: string });
    const { stderr } = failed as { stderr: string };
    expect(stderr).toMatch(/settings\.json (?:is|lies in .*) read-only/);
    expect(stderr).toContain('"CLAUDE_CODE_SHELL":');
    expect(stderr).not.toMatch(/EACCES|\.tmp/);
    expect(existsSync(join(home, ".data"))).toBe(false);
    expect(readFileSync(join(home, file), "utf8")).toBe('{ "model": "x" }\n');
  });

  test("--print gives lines which make init leave the file alone once they are in it", async () => {
    const home = makeHome({ ".claude/settings.json": "{}\n" });
    const printed = await init(home, "claude-code", "--print");
    expect(existsSync(join(home, ".data"))).toBe(false);
    const lines = printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1);
    const file = join(home, ".claude/settings.json");
    const text = JSON.stringify(JSON.parse(lines));
    writeFileSync(file, text);
    chmodSync(file, 0o444);
    const said = await init(home, "claude-code", "--yes");
    expect(said).toContain("ok   claude-code wrapper");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("shows the lines that change, and no other line of the file", async () => {
    const home = makeHome({ ".gemini/.env": "KEY=secret\nOTHER=1\n", ".codex/config.toml": '# mine\nmodel = "o"\n' });
    const said = `${await init(home, "gemini", "--dry-run")}${await init(home, "codex", "--dry-run")}`;
    expect(said).toMatch(/^ +\+BASH_ENV=".*gemini\/bash-env\.sh"$/m);
    expect(said).toMatch(/^ +\+BASH_ENV = ".*codex\/bash-env\.sh"$/m);
    expect(said).not.toMatch(/secret|# mine/);
  });

  test("doctor tells whether the agent itself has used it: its own trial does not count", async () => {
    const home = makeHome({ ".claude/settings.json": "{}" });
    expect(await init(home, "claude-code", "--yes")).toContain("spillway doctor --host claude-code");
    expect(await doctor(home, "claude-code")).toMatch(/^\? +used +never used by Claude Code since init/m);
    const front = join(home, ".data/spillway/program/hosts/claude-code/front");
    await run(front, ["eval 'true' && pwd -P >| /dev/null"], { env: { PATH: process.env.PATH, HOME: home } });
    expect(await doctor(home, "claude-code")).toMatch(/^ok +used +last used by Claude Code \d+ seconds? ago/m);
  });

  test("finds Cline as an extension of VS Code too", async () => {
    const file = ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
    const home = makeHome({ [file]: '{ "mcpServers": { "a": { "command": "a", "disabled": false } } }' });
    await init(home, "cline", "--yes");
    expect(readFileSync(join(home, file), "utf8")).toMatch(
      /"proxy", "--host", "cline", "--name", "\w+", "--", "a"\], "disabled"|"disabled": false/,
    );
    expect(await doctor(home, "cline")).toContain("a behind the proxy");
  });

  test("tries the plugins as their hosts load them", async () => {
    const home = makeHome({});
    for (const host of ["opencode", "pi", "kilo"])
      expect(await init(home, host, "--yes")).toMatch(
        /ok {3}\w+ plugin: 4000 lines become \d+ bytes that include the error/,
      );
  });

  test("changes the file with comments where the host reads that", async () => {
    const text = '{ // mine\n "mcp": { "a": { "type": "local", "command": ["node", "a.js"] } }\n}';
    const home = makeHome({ ".config/kilo/kilo.jsonc": text });
    await init(home, "kilo", "--mcp", "--yes");
    const file = join(home, ".config/kilo/kilo.jsonc");
    expect(readFileSync(file, "utf8")).toMatch(
      /\/\/ mine[\s\S]*"proxy", "--host", "kilo", "--name", "a", "--", "node", "a\.js"/,
    );
    await init(home, "kilo", "--mcp", "--remove", "--yes");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("--project writes the file that is not committed, and refuses where there is none", async () => {
    const home = makeHome({});
    await init(home, "claude-code", "--project", "--yes");
    expect(readFileSync(join(home, ".claude/settings.local.json"), "utf8")).toContain("CLAUDE_CODE_SHELL");
    await init(home, "claude-code", "--project", "--remove", "--yes");
    expect(existsSync(join(home, ".claude/settings.local.json"))).toBe(false);
    await expect(init(home, "codex", "--project", "--yes")).rejects.toMatchObject({ code: 2 });
  });
});

describe("a key in a TOML table", () => {
  const PLACE = ["policy", "set", "BASH_ENV"];
  test.each([
    ["no table", 'a = "b"\n'],
    ["a table", '[policy.set]\nA = "1"\n\n[other]\nx = 1\n'],
    ["braces", '[policy]\nset = { A = "1" } # keep\n[other]\n'],
    ["empty braces", "[policy]\nset = {}\n"],
    ["braces in braces", 'policy = { set = { A = "1" } }\n'],
    ["dotted names", '[policy]\nset.A = "1"\nx = [ # mine\n  "]", 1 ]\n'],
    ["quoted names, CRLF", "[\"policy\".\"set\"]\r\n# mine\r\nA = '''\r\n[no.table]\r\n'''\r\n"],
    ["a list of tables", "[[policies]]\nset = 1\n[[policies]]\nset = 2 # [policy.set]\n"],
  ])("is set, replaced, read and taken out: %s", (_, text) => {
    const set = setTomlKey(text, PLACE, "/x y");
    expect(readTomlKey(set, PLACE)).toBe("/x y");
    expect(readTomlKey(setTomlKey(set, PLACE, "/z"), PLACE)).toBe("/z");
    expect(set.includes("\r\n")).toBe(text.includes("\r\n"));
    expect(set.replaceAll("\r\n", "").includes("\r")).toBe(false);
    expect(removeTomlKey(set, PLACE)).toBe(text);
  });

  test("goes into the braces of a table above it, which no header may add to", () => {
    const before = 'policy = { inherit = "core" } # mine\n[other]\nx = 1\n';
    const set = setTomlKey(setTomlKey(before, PLACE, "/x"), ["policy", "set", "B C"], "1");
    expect(set).toBe(before.replace('"core" }', '"core", set.BASH_ENV = "/x", set."B C" = "1" }'));
    expect(removeTomlKey(removeTomlKey(set, PLACE), ["policy", "set", "B C"])).toBe(before);
  });

  test("is refused where something else stands in its place, or the file is no TOML", () => {
    expect(() => setTomlKey('[policy]\nset = "all"\n', PLACE, "/x")).toThrow("not a table");
    expect(() => setTomlKey("policy = 1\n", PLACE, "/x")).toThrow("not a table");
    expect(() => setTomlKey("[policy\n", PLACE, "/x")).toThrow("line 1");
  });
});

describe("MCP servers of a TOML file", () => {
  const SERVERS = [
    "# mine",
    "[mcp_servers.files]",
    "command = 'npx' # the runner",
    "args = [",
    '  "-y", # yes',
    '  "@scope/files",',
    "]",
    "startup_timeout_sec = 20",
    "",
    "[mcp_servers.files.env]",
    'TOKEN = "a = [b]"',
    "",
    '[mcp_servers."with space"]',
    'command = "server"',
    "[mcp_servers.remote]",
    'url = "https://example.com/mcp"',
    "[profiles.x]",
    'command = "not a server"',
  ];

  test.each(["\n", "\r\n"])("go behind the proxy in place and come back to the byte (%j)", async (eol) => {
    const text = SERVERS.join(eol);
    const home = makeHome({ ".codex/config.toml": text });
    const file = join(home, ".codex/config.toml");
    expect(await init(home, "codex", "--mcp", "--yes")).toContain("files, with space");
    const wrapped = readFileSync(file, "utf8");
    expect(readTomlKey(wrapped, ["mcp_servers", "files", "command"])).toBe(process.execPath);
    const args = readTomlKey(wrapped, ["mcp_servers", "files", "args"]) as string[];
    expect(args.slice(1)).toEqual(["proxy", "--host", "codex", "--name", "files", "--", "npx", "-y", "@scope/files"]);
    for (const kept of SERVERS.filter((line) => !/^(?:command = '|command = "s|args| {2}"|\])/.test(line)))
      expect(wrapped).toContain(kept);
    expect(await init(home, "codex", "--mcp", "--yes")).toContain("nothing to do");
    // Edited since: only ours goes.
    writeFileSync(file, `${wrapped}${eol}# later`);
    await init(home, "codex", "--mcp", "--remove", "--yes");
    const without = readFileSync(file, "utf8");
    expect(without.endsWith(`"not a server"${eol}# later`)).toBe(true);
    expect(readTomlKey(without, ["mcp_servers", "files", "command"])).toBe("npx");
    expect(readTomlKey(without, ["mcp_servers", "files", "args"])).toEqual(["-y", "@scope/files"]);
    expect(readTomlKey(without, ["mcp_servers", "with space", "args"])).toBeUndefined();
    writeFileSync(file, text);
    await init(home, "codex", "--mcp", "--yes");
    await init(home, "codex", "--mcp", "--remove", "--yes");
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
