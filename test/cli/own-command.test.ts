import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ownCommand } from "../../src/cli/own-command.ts";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { paste, savedTo, shellLines } from "../support/hint-calls.ts";

const MANY = "-c 'seq 1 9000'";
let bin = "";
let folder = "";
beforeAll(async () => {
  ({ bin, folder } = await builtPackage());
});

/** A shell's environment as it is outside of npm, with no spillway on its path but those given. */
function shell(...folders: readonly string[]): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|TOOL_OUTPUT_)/i.test(name));
  const path = [...folders, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
  return { ...Object.fromEntries(own), PATH: path, npm_config_offline: "true", npm_config_update_notifier: "false" };
}

/** Runs a command and then, as they are pasted, the lines of its hint. */
function follow(command: string, cwd: string, env: NodeJS.ProcessEnv): readonly string[] {
  const out = paste(command, { cwd, env });
  const [grep = "", read = ""] = shellLines(out.trimEnd());
  expect(paste(grep, { pattern: "'^4711$'", cwd, env })).toContain("4711");
  const [, offset] = /--offset (\d+) --limit 200$/.exec(read) ?? expect.unreachable(read);
  expect(paste(read, { cwd, env })).toMatch(new RegExp(`^${offset}\\n`));
  expect(out.split(savedTo(out))).toHaveLength(2);
  return [grep, read];
}

describe("the lines for a shell in the hint of run", () => {
  it("say npx where npx started it, and run as they are pasted", () => {
    const project = temporaryFolder("npx project");
    writeFileSync(join(project, "package.json"), '{ "name": "project", "private": true }');
    mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
    symlinkSync(folder, join(project, "node_modules", "spillway"));
    symlinkSync("../spillway/bin/spillway.mjs", join(project, "node_modules", ".bin", "spillway"));
    chmodSync(realpathSync(bin), 0o755);
    const [grep] = follow(`npx --no spillway run ${MANY}`, project, shell());
    expect(grep).toMatch(/^npx spillway artifacts grep PATTERN \w+$/);
    const [again] = follow(`node_modules/.bin/spillway run ${MANY}`, project, shell());
    expect(again).toMatch(/^npx spillway /);
  }, 60_000);

  it("say spillway where it is on the path", () => {
    const installed = temporaryFolder("bin");
    symlinkSync(bin, join(installed, "spillway"));
    const [grep] = follow(`spillway run ${MANY}`, temporaryFolder("project"), shell(installed));
    expect(grep).toMatch(/^spillway artifacts grep PATTERN \w+$/);
  });

  it("say the script where node was given it, and repeat the flags that say where", () => {
    const root = temporaryFolder("it's a root");
    const start = `node ${bin} run --root ${JSON.stringify(root)} --dir 'my outputs' ${MANY}`;
    const [grep] = follow(start, temporaryFolder("elsewhere"), shell());
    expect(grep).toMatch(/^node \S+spillway\.mjs artifacts grep PATTERN \w+ --root '.*' --dir 'my outputs'$/);
    const env = { ...shell(), TOOL_OUTPUT_DIR: "from-env" };
    expect(follow(`node ${bin} run ${MANY}`, root, env)[0]).toMatch(/ --dir from-env$/);
  });
});

describe("ownCommand", () => {
  const say = (script: string, env: Record<string, string>, cwd = "/") => ownCommand({}, { script, env, cwd }).program;

  it("knows npm's own folders on the path from the reader's", () => {
    const project = temporaryFolder("own");
    const folder = join(project, "node_modules", ".bin");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "spillway"), "");
    const script = join(folder, "spillway");
    expect(say(script, { PATH: folder })).toBe("spillway");
    expect(say(script, { PATH: folder, npm_command: "exec" })).toBe("npx spillway");
    const inScript = { PATH: folder, npm_execpath: "/npm-cli.js", npm_command: "run-script" };
    expect(say(script, inScript, join(project, "src"))).toBe("npx spillway");
    expect(say(script, inScript, dirname(project))).toBe(`node ${script}`);
  });

  it("knows what npx fetched into its cache, and a clone", () => {
    expect(say("/home/me/.npm/_npx/33ff/node_modules/.bin/spillway", { PATH: "" })).toBe("npx spillway");
    expect(say("/src/clone/bin/spillway.mjs", { PATH: "", npm_command: "exec" })).toBe("npx spillway");
    expect(say("/src/my clone/bin/spillway.mjs", { PATH: "" })).toBe("node '/src/my clone/bin/spillway.mjs'");
  });
});
