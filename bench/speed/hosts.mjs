import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CLI, ms, race, report, reportTitle, scratchFolder, timeProgram } from "../measure.mjs";

// What Spillway below an agent's shell costs for a command that prints one line, until the agent's pipes close, against the shell alone and against the
// other way to get there: a hook that rewrites the command before the agent runs it, in sh and in node.
// Where /bin/sh is another shell: unshare -rm sh -c 'mount --bind /bin/bash /bin/dash && exec node bench/speed/hosts.mjs'
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
const MOST_MS = 15;
const SLOWEST_MS = 100;
const LINE = "echo hello";

const home = scratchFolder("hosts");
const work = path.join(home, "work");
mkdirSync(path.join(work, ".git"), { recursive: true });
const env = {
  PATH: process.env.PATH,
  HOME: home,
  SHELL: "/bin/bash",
  XDG_CONFIG_HOME: path.join(home, "config"),
  XDG_DATA_HOME: path.join(home, "data"),
  XDG_STATE_HOME: path.join(home, "state"),
};
for (const host of ["claude-code", "codex", "opencode"])
  execFileSync(process.execPath, [CLI, "init", host, "--yes", "--root", work], { env, cwd: work });
const data = path.join(home, "data", "spillway");
const hosts = path.join(data, readdirSync(data)[0], "hosts");

const claudeLine = `eval '${LINE}' && pwd -P >| ${path.join(home, "cwd")}`;
const asked = JSON.stringify({ tool_name: "Bash", tool_input: { command: LINE } });
const result = JSON.stringify({ tool_name: "Grep", tool_input: {}, tool_response: { content: "x".repeat(2000) } });

const shHook = script("hook.sh", `#!/bin/sh\nsed 's/"command":"/"command":"wrap /'\n`);
const shWrap = script("wrap.sh", '#!/bin/sh\n"$@" 2>&1 | head -c 30000\n');
const nodeHook = script(
  "hook.mjs",
  [
    'import { text } from "node:stream/consumers";',
    "const said = JSON.parse(await text(process.stdin));",
    "said.tool_input.command = 'spillway run -c ' + JSON.stringify(said.tool_input.command);",
    "console.log(JSON.stringify(said));",
    "",
  ].join("\n"),
);

const options = { env, cwd: work };
const exits = {};
/** Until the pipes close, as agents wait; what waits for the exit alone is kept beside it. */
const untilClose = (name, argv, more = {}) =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(argv[0], argv.slice(1), {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...env, ...more },
    });
    child.stdout.resume();
    child.stderr.resume();
    child.once("error", reject);
    child.once("exit", () => {
      exits[name] ??= [];
      exits[name].push(performance.now() - started);
    });
    child.once("close", (code) =>
      code === 0 ? resolve(performance.now() - started) : reject(new Error(`${name} ended with ${code}`)),
    );
  });
const shell = JSON.parse(readFileSync(path.join(home, ".claude/settings.json"), "utf8")).env.CLAUDE_CODE_SHELL;
const contestants = {
  "bash -c": () => untilClose("bash -c", ["bash", "-c", claudeLine]),
  shell: () => untilClose("shell", [shell, "-c", claudeLine]),
  "bash -lc": () => untilClose("bash -lc", ["bash", "-lc", LINE]),
  BASH_ENV: () => untilClose("BASH_ENV", ["bash", "-lc", LINE], { BASH_ENV: path.join(hosts, "codex/bash-env.sh") }),
  plugin: () => untilClose("plugin", ["bash", "-lc", LINE], { BASH_ENV: path.join(hosts, "opencode/bash-env.sh") }),
  "rewriting in sh": async () =>
    (await withInput([shHook], asked)) + (await timeProgram([shWrap, "bash", "-c", LINE], options)),
  "rewriting in node": async () =>
    (await withInput([process.execPath, nodeHook], asked)) +
    (await timeProgram([process.execPath, CLI, "run", "-c", LINE], options)),
  "a hook that only reads": () => withInput(["/bin/cat"], result),
  "hook, small result": () => withInput([path.join(hosts, "claude-code", "hook")], result),
};
const times = await race(contestants, { rounds: ROUNDS, warmUps: 2 });

const sh = execFileSync("/bin/sh", ["-c", 'if [ -n "$BASH_VERSION" ]; then echo bash; else echo another shell; fi']);
reportTitle(`A command that prints one line, below an agent's shell; /bin/sh is ${String(sh).trim()}`);
compare("the wrapper as the agent's shell (Claude Code) over bash -c", "shell", "bash -c", MOST_MS);
compare("the wrapper by BASH_ENV (Codex, Gemini CLI, Continue CLI) over bash -lc", "BASH_ENV", "bash -lc", MOST_MS);
compare("the wrapper by a plugin (opencode) over bash -lc", "plugin", "bash -lc", MOST_MS);
for (const [name, plain] of [
  ["shell", "bash -c"],
  ["BASH_ENV", "bash -lc"],
  ["plugin", "bash -lc"],
]) {
  const slowest = Math.max(...times.times.get(name));
  const plainly = Math.max(...times.times.get(plain));
  const exit = exits[name].toSorted((left, right) => left - right)[Math.floor(exits[name].length / 2)];
  report({
    what: `the slowest of ${ROUNDS} by ${name}`,
    result: `${ms(slowest)} until the pipes close (${plain}: ${ms(plainly)}); exit at ${ms(exit)} (median)`,
    budget: `<= ${SLOWEST_MS} ms`,
    holds: slowest <= SLOWEST_MS,
  });
}
compare("rewriting the command, hook and wrapper in sh, over bash -c", "rewriting in sh", "bash -c");
compare("rewriting the command, hook in node and spillway run, over bash -c", "rewriting in node", "bash -c");
compare("the hook after a small result over reading it", "hook, small result", "a hook that only reads", MOST_MS);

function compare(what, name, plain, most) {
  // The best of each: with other work on the machine a process waits its turn, and the wrapper is several.
  const added = times.best(name) - times.best(plain);
  report({
    what,
    result: `${ms(added)} (best ${ms(times.best(name))} against ${ms(times.best(plain))}; median ${ms(times.median(name))} against ${ms(times.median(plain))})`,
    ...(most !== undefined && { budget: `<= ${most} ms`, holds: added <= most }),
  });
}

function script(name, text) {
  const file = path.join(home, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

function withInput(argv, input) {
  const file = script(`input-${path.basename(argv.at(-1))}`, input);
  return timeProgram(["/bin/sh", "-c", 'exec "$@" <"$0"', file, ...argv], options);
}
