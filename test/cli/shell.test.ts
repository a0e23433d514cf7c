import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { findHost } from "../../src/integrations/hosts/find-host.ts";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const home = temporaryFolder("shell-home");
const root = temporaryFolder("shell-root");
const data = join(home, "data", "spillway");
const env = {
  PATH: process.env.PATH ?? "",
  HOME: home,
  SHELL: "/bin/bash",
  XDG_STATE_HOME: join(home, "state"),
  XDG_DATA_HOME: join(home, "data"),
  XDG_CONFIG_HOME: join(home, "config"),
  TMPDIR: temporaryFolder("shell-tmp"),
};
/** A copy that can be moved away. */
const node = join(home, "node");
let claude = "";
let wrapper = "";
let codex = "";

beforeAll(async () => {
  const { bin } = await builtPackage();
  mkdirSync(join(root, ".git"));
  copyFileSync(process.execPath, node);
  for (const host of ["claude-code", "codex", "gemini", "opencode", "continue"])
    execFileSync(node, [bin, "init", host, "--user", "--yes", "--root", root], { env });
  const hosts = join(data, readdirSync(data)[0] ?? "", "hosts");
  claude = join(home, ".claude", "spillway", "bash");
  wrapper = join(hosts, "claude-code", "front");
  codex = join(hosts, "codex", "bash-env.sh");
});

interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** As the leader of a group. */
  readonly detached?: boolean;
  readonly onStart?: (child: ChildProcess) => void;
}

function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, ...options.env },
    detached: options.detached ?? false,
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** As Claude Code frames a line of its Bash tool. */
const framed = (line: string) => `eval '${line.replaceAll("'", "'\\''")}' && pwd -P >| ${join(home, "cwd")}`;
/** As it hands one to its shell. */
const bashTool = (line: string, options?: RunOptions) => run(claude, ["-c", framed(line)], options);
/** The same where settings of an earlier version name the wrapper as a prefix. */
const formerBashTool = (line: string, options?: RunOptions) => run(wrapper, [framed(line)], options);
/** As Codex runs a line. */
const codexShell = (line: string, options?: RunOptions) =>
  run("bash", ["-lc", line], { ...options, env: { BASH_ENV: codex, ...options?.env } });

/** As Codex does for those whose shell is zsh. */
const zshShell = (line: string, options?: RunOptions) =>
  run("zsh", ["-lc", line], { ...options, env: { ZDOTDIR: join(dirname(codex), "zsh"), ...options?.env } });
const hasZsh = spawnSync("zsh", ["-c", "true"]).status === 0;

const LARGE =
  "for i in $(seq 1 30000); do echo \"[$i/30000] compiling unit $i\"; [ $i = 17342 ] && echo 'src/pool.rs:412: error[E0308]: mismatched types' >&2; done";
const artifacts = (folder = join(root, ".spillway/tool-output")) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("tool_")) : [];
const spools = () => readdirSync(join(home, "state", "spillway", "spool"));

/** Of commands that left something running; they are kept, since they were named. */
const clearSpools = () => {
  for (const name of spools()) rmSync(join(home, "state", "spillway", "spool", name), { force: true });
};

/** Lines whose result is the same text as in the shell alone. */
const ALIKE: [what: string, line: string][] = [
  ["leads its process group", "ps -o pgid= -p $$ | awk -v p=$$ '{ print ($1 == p) }'"],
  ["ends its group", "sleep 50 & kill -- -$$"],
  [
    "sees no variable of ours",
    "env | grep -iE 'spillway|BASH_ENV|ZDOTDIR|^SHLVL' | grep -v ^PWD | sort; set | grep -c ^sw_",
  ],
  ["has the signals that it had", "trap; kill -INT $$; echo after"],
  ["ends itself", "echo before; kill -TERM $$; echo after"],
  ["prints bytes", String.raw`printf 'a\0b\377\001\177\n\n'`],
  ["has no further descriptors", "ls /proc/self/fd | wc -l"],
  ["prints later", "(sleep 0.7; echo late) & echo now"],
  ["fails", "set -e; echo one; false; echo two"],
  ["is not found", "no-such-command-here 2>/dev/null"],
];

const SHELLS: [name: string, shell: typeof bashTool][] = [
  ["shell", bashTool],
  ["prefix", formerBashTool],
  ["BASH_ENV", codexShell],
];
if (hasZsh) SHELLS.push(["ZDOTDIR", zshShell]);

describe.each(SHELLS)("the wrapper by %s", (_, shell) => {
  test("passes a small output with both streams in order, and keeps exit code and input", async () => {
    const line = "echo one; echo two >&2; echo three > /dev/stderr; cat; exit 3";
    const ran = await shell(line, { input: "from stdin\n" });
    expect(ran).toEqual({ code: 3, signal: null, out: "one\ntwo\nthree\nfrom stdin\n", err: "" });
    expect(artifacts()).toEqual([]);
    await expect.poll(spools).toEqual([]);
  });

  test("shows what matters of a large one within the limit, and keeps the rest as an artifact", async () => {
    const { out, code } = await shell(`${LARGE}; exit 2`);
    expect(code).toBe(2);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(9500);
    expect(out).toContain("error[E0308]");
    expect(out).toContain("exit code 2");
    const name = artifacts().at(-1) ?? "";
    const whole = execFileSync("bash", ["-c", `{ ${LARGE}; true; } 2>&1`]);
    expect(readFileSync(join(root, ".spillway/tool-output", name)).equals(whole)).toBe(true);
    expect(out).toContain(name);
    execFileSync("rm", ["-r", join(root, ".spillway")]);
    // A file that was named while the command ran stays for a while.
    await expect.poll(() => spools().filter((left) => !out.includes(left))).toEqual([]);
  });

  test("stays below for nested shells, Spillway's own commands and SPILLWAY=off", async () => {
    const nested = await shell("bash -c 'seq 1 5000' | wc -l");
    expect(nested.out.trim()).toBe("5000");
    const own = await shell("spillway () { seq 1 5000; }; export -f spillway; spillway x", {
      env: { SPILLWAY: "off" },
    });
    expect(own.out.split("\n").length).toBe(5001);
    expect(artifacts()).toEqual([]);
  });

  test("runs the command plainly where nothing can be written", async () => {
    const spool = join(home, "state", "spillway", "spool");
    renameSync(spool, `${spool}-away`);
    writeFileSync(spool, "");
    try {
      const ran = await shell("seq 1 5000; exit 7", { env: { TMPDIR: join(home, "nowhere") } });
      expect(ran.code).toBe(7);
      expect(ran.out.split("\n").length).toBe(5001);
    } finally {
      rmSync(spool);
      renameSync(`${spool}-away`, spool);
    }
  });

  test("does not wait for what a command leaves running", async () => {
    const started = await shell("echo up; sleep 60 & echo $!");
    const [said, pid] = started.out.trim().split("\n");
    expect(said).toBe("up");
    process.kill(Number(pid), 0);
    process.kill(Number(pid));
    clearSpools();
  });

  test("goes on reading what a command leaves running prints, and keeps that out of the artifact", async () => {
    const { bin } = await builtPackage();
    const left = "(while [ ! -e go ]; do sleep 0.1; done; seq 1 50000 && touch printed) &";
    const { out } = await shell(`seq 1 5000; ${left}`);
    expect(out).toContain("Full output saved");
    writeFileSync(join(root, "go"), "");
    await expect.poll(() => existsSync(join(root, "printed")), { timeout: 10_000 }).toBe(true);
    expect((await run(process.execPath, [bin, "artifacts", "verify"])).out).toContain("1 checked, 0 failed");
    for (const made of ["go", "printed", ".spillway"]) rmSync(join(root, made), { recursive: true });
    clearSpools();
  });

  test("passes on the first output of a command that takes longer than the host's patience", async () => {
    let early = "";
    const ran = await shell("seq 1 400; touch started; while [ ! -e go ]; do sleep 0.2; done; seq 1 3000", {
      onStart: (child) =>
        child.stdout?.on("data", (chunk) => {
          early ||= String(chunk);
          writeFileSync(join(root, "go"), "");
        }),
    });
    execFileSync("rm", [join(root, "go"), join(root, "started")]);
    expect(early.startsWith("1\n2\n3\n")).toBe(true);
    expect(Buffer.byteLength(early)).toBeLessThanOrEqual(4750);
    expect(Buffer.byteLength(ran.out)).toBeLessThanOrEqual(9500);
    expect(ran.out).toContain("Full output saved");
    execFileSync("rm", ["-r", join(root, ".spillway")]);
  });

  test("shows what there was when the host ends the whole group", async () => {
    const line = "seq 1 5000; echo 'error: out of tape'; seq 1 5000; touch started; exec sleep 60";
    const ran = await shell(line, {
      detached: true,
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(root, "started"))) return;
          clearInterval(timer);
          process.kill(-(child.pid ?? 0), "SIGTERM");
        }, 20);
      },
    });
    rmSync(join(root, "started"));
    expect(ran.signal).toBe("SIGTERM");
    expect(ran.out).toContain("error: out of tape");
    expect(ran.out).toContain("Full output saved");
    expect(Buffer.byteLength(ran.out)).toBeLessThanOrEqual(9500);
    rmSync(join(root, ".spillway"), { recursive: true });
  });

  test.each(ALIKE)("changes nothing where a line %s", async (_what, line) => {
    const [alone, below] = [
      await shell(line, { env: { SPILLWAY: "off" }, detached: true }),
      await shell(line, { detached: true }),
    ];
    if (line.startsWith("env")) expect(below.out).toBe(alone.out.replace("SPILLWAY=off\n", ""));
    else expect(below).toEqual(alone);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("shows what there was when %s ends the command early", async (signal) => {
    const pid = join(root, "pid");
    const ran = await shell(`sleep 60 & echo $! > ${pid}; echo listening; touch started; wait`, {
      detached: true,
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(root, "started"))) return;
          clearInterval(timer);
          process.kill(-(child.pid ?? 0), signal);
        }, 20);
      },
    });
    expect(ran).toMatchObject({ signal, out: "listening\n" });
    // It is ended too, as the group is without Spillway.
    const left = Number(readFileSync(pid, "utf8"));
    await expect.poll(() => isRunning(left)).toBe(false);
    for (const made of ["pid", "started"]) rmSync(join(root, made));
  });

  test("passes a line through whole that ends with a comment", async () => {
    const whole = [
      "seq 1 5000 # spillway:off",
      "seq 1 5000 #spillway:off \n",
      `seq 1 5000; echo "it's" # spillway:off`,
    ];
    const bounded = [
      `seq 1 5000; echo "a # spillway:off"`,
      "seq 1 5000 # spillway:off\necho end",
      "seq 1 5000 # spillway:off or not",
      "seq 1 5000; cat <<E\na # spillway:off\nE",
      "seq 1 5000; echo a# spillway:off",
      "seq 1 5000; echo \\# spillway:off",
    ];
    for (const line of whole) expect((await shell(line)).out.split("\n").length, line).toBeGreaterThan(5000);
    for (const line of bounded) {
      const { out } = await shell(line);
      expect(Buffer.byteLength(out), line).toBeLessThanOrEqual(9500);
      expect(out, line).not.toContain("spillway:off comment");
    }
    rmSync(join(root, ".spillway"), { recursive: true });
  });

  test("runs a line plainly where the program or node is gone", async () => {
    const tools = join(home, "tools");
    mkdirSync(tools, { recursive: true });
    for (const name of readdirSync("/usr/bin"))
      if (name !== "node" && !existsSync(join(tools, name))) symlinkSync(join("/usr/bin", name), join(tools, name));
    const program = join(data, readdirSync(data)[0] ?? "");
    // A login shell finds its programs anew.
    writeFileSync(join(home, ".bash_profile"), '[ -z "$TOOLS" ] || PATH=$TOOLS\n');
    for (const [name, part] of [
      ["bin", join(program, "bin")],
      ["program", join(program, "bin", "spillway.mjs")],
      ["folder", data],
      ["node", node],
    ] as const) {
      renameSync(part, `${part}-away`);
      try {
        // What an earlier version wrote into the settings names the wrapper itself.
        if (shell === formerBashTool && name === "folder") continue;
        const without = name === "node" ? { PATH: tools, TOOLS: tools } : {};
        const ran = await shell("cat; seq 1 5000; exit 7", { input: "in\n", env: without });
        expect(ran.code, name).toBe(7);
        expect(ran.out.split("\n").length, name).toBe(5002);
      } finally {
        renameSync(`${part}-away`, part);
      }
    }
  });

  test("says how a command was ended by a signal", async () => {
    expect(await shell("kill -9 $$")).toMatchObject({ signal: "SIGKILL", out: "", err: "" });
    expect(await shell("echo x; exit 137")).toMatchObject({ code: 137, out: "x\n" });
  });
});

describe("the wrapper", () => {
  test("passes whole results to a script of Codex's code mode", async () => {
    const ran = await codexShell("seq 1 5000", { env: { CODEX_TOOL_CALL_ID: "exec-1" } });
    expect(ran.out.split("\n").length).toBe(5001);
  });

  test("shows all that a failing command printed where its host shows standard error only", async () => {
    const shell = (line: string) =>
      run("bash", ["-lc", line], { env: { BASH_ENV: join(dirname(dirname(codex)), "continue/bash-env.sh") } });
    const said = "echo one; echo two >&2";
    expect(await shell(said)).toMatchObject({ code: 0, out: "one\ntwo\n", err: "" });
    expect(await shell(`${said}; exit 4`)).toMatchObject({ code: 4, out: "", err: "one\ntwo\n" });
    expect(await shell("exit 5")).toMatchObject({ code: 5, out: "", err: "" });
    const large = await shell(`${LARGE}; exit 2`);
    expect(large).toMatchObject({ code: 2, out: "" });
    expect(large.err).toContain("error[E0308]");
    expect(large.err).toContain("sed -n");
    expect(Buffer.byteLength(large.err)).toBeLessThanOrEqual(9500);
    rmSync(join(root, ".spillway"), { recursive: true });
  });

  test("says that there is output where its host ends a command that prints nothing for a while", async () => {
    const own = join(dirname(dirname(codex)), "continue", "front");
    const text = readFileSync(own, "utf8");
    expect(text).toMatch(/^sw_idle=60$/m);
    const quick = join(home, "quick-front");
    writeFileSync(quick, text.replace(/^sw_idle=60$/m, "sw_idle=1").replace(/^sw_(early|patience)=5$/gm, "sw_$1=1"));
    const loop = "for i in 1 2 3 4 5 6 7 8; do seq 1 3000; sleep 0.5; done";
    const { out } = await run("sh", [quick, "bash", "-c", loop]);
    expect(out).toMatch(/\n\[spillway: \d{5,} bytes so far\]\n/);
    expect(out).toContain("Full output saved");
    const silent = await run("sh", [quick, "bash", "-c", "echo one; sleep 3.5; echo two"]);
    expect(silent.out).toBe("one\ntwo\n");
    rmSync(join(root, ".spillway"), { recursive: true });
    clearSpools();
  });

  test("leaves alone what is no line of the shell tool", async () => {
    for (const args of [
      ["-c", "seq 1 5000"],
      ["-c", "-l", "seq 1 5000"],
    ])
      expect((await run(claude, args)).out.split("\n").length).toBe(5001);
    expect((await run(wrapper, ["seq 1 5000"])).out.split("\n").length).toBe(5001);
    expect(artifacts()).toEqual([]);
  });

  test("adopts the file instead of copying it", async () => {
    const { bin } = await builtPackage();
    const file = join(root, "output");
    writeFileSync(file, "line\n".repeat(10_000));
    const ran = await run(process.execPath, [bin, "shell", "--host", "claude-code", "--adopt", file]);
    expect(ran.out).toContain("Full output saved");
    const saved = join(root, ".spillway/tool-output", artifacts()[0] ?? "");
    expect(statSync(saved).ino).toBe(statSync(file).ino);
    const verified = await run(process.execPath, [bin, "artifacts", "verify"]);
    expect(verified.code).toBe(0);
    execFileSync("rm", ["-r", join(root, ".spillway")]);
  });

  test("wraps the shell of an agent that is started inside a wrapped line", async () => {
    const inner = [
      `'${claude}' -c ${JSON.stringify(framed("seq 1 5000"))}`,
      `BASH_ENV='${codex}' bash -lc 'seq 1 5000'`,
    ];
    for (const agent of inner)
      for (const outer of [bashTool, codexShell]) {
        const { out } = await outer(`${agent} > inner; wc -c < inner; grep -c 'Full output saved' inner`);
        const [bytes, notices] = out.trim().split("\n").map(Number);
        expect(bytes, agent).toBeLessThanOrEqual(9500);
        expect(notices, agent).toBe(1);
      }
    for (const made of ["inner", ".spillway"]) rmSync(join(root, made), { recursive: true });
  });

  test("bounds nothing twice", async () => {
    const { bin } = await builtPackage();
    const inner = `cd . && '${process.execPath}' '${bin}' run --max-bytes 20000 --root '${root}' -c 'seq 1 50000'`;
    const { out } = await bashTool(inner);
    expect(Buffer.byteLength(out)).toBeGreaterThan(9500);
    expect(out.match(/Output truncated/g)).toHaveLength(1);
    expect(artifacts()).toEqual([]);
  });

  test("shows the output whole when its other half crashes", async () => {
    const broken = join(home, "broken-front");
    writeFileSync(broken, readFileSync(wrapper, "utf8").replace(/^sw_node=.*$/m, "sw_node=/bin/false"));
    chmodSync(broken, 0o755);
    const { out, code } = await run(broken, ["bash", "-c", "seq 1 5000; exit 5"]);
    expect(code).toBe(5);
    expect(out.split("\n").length).toBe(5001);
  });

  test("reads the user's own BASH_ENV all the same", async () => {
    const own = join(home, "own-env.sh");
    writeFileSync(own, "MINE=42\n");
    const { out } = await codexShell("echo $MINE $BASH_ENV", { env: { SPILLWAY_BASH_ENV: own } });
    expect(out).toBe(`42 ${own}\n`);
  });

  test.skipIf(!hasZsh)("reads the user's own ZDOTDIR all the same", async () => {
    const own = temporaryFolder("shell-zdotdir");
    writeFileSync(join(own, ".zshenv"), "MINE=42\n");
    writeFileSync(join(own, ".zprofile"), "LOGIN=43\n");
    const { out } = await zshShell("echo $MINE $LOGIN $ZDOTDIR", { env: { SPILLWAY_ZDOTDIR: own } });
    expect(out).toBe(`42 43 ${own}\n`);
    expect((await zshShell('echo "[$ZDOTDIR]"')).out).toBe("[]\n");
    const nested = await codexShell('echo "[$ZDOTDIR]"', { env: { ZDOTDIR: join(dirname(codex), "zsh") } });
    expect(nested.out).toBe("[]\n");
  });

  test("is given to each line of opencode's shell by its plugin, with the question, and to no terminal", async () => {
    const copy = join(home, "plugin.mjs");
    writeFileSync(copy, readFileSync(join(home, "config", "opencode", "plugin", "spillway.js")));
    type Hook = (input: object, output: object) => Promise<void>;
    const loaded = (await import(pathToFileURL(copy).href)) as {
      SpillwayPlugin: (place: object) => Promise<Record<string, Hook>>;
    };
    const hooks = await loaded.SpillwayPlugin({ directory: root });
    await hooks["tool.execute.before"]?.(
      { tool: "bash", sessionID: "s", callID: "c" },
      { args: { command: "x", description: "What became of row 3217?" } },
    );
    const given: { env: Record<string, string> } = { env: { MINE: "42" } };
    await hooks["shell.env"]?.({ cwd: root, sessionID: "s", callID: "c" }, given);
    const line =
      'for i in $(seq 1 5000); do echo "row $i copied to tape"; done; echo "[$SPILLWAY_QUERY] $MINE $BASH_ENV"';
    const { out } = await run("bash", ["-c", line], { env: { ...given.env, SHLVL: "1" } });
    expect(out).toContain("row 3217 copied");
    expect(out).toContain("[] 42 \n");
    expect(out).toContain("Full output saved");
    const terminal = { env: {} };
    await hooks["shell.env"]?.({ cwd: root }, terminal);
    expect(terminal.env).toEqual({});
    rmSync(join(root, ".spillway"), { recursive: true });
  });

  test("names the host's own tools, and Spillway's where these refuse", async () => {
    const { bin } = await builtPackage();
    const line = "head -c 200000 /dev/zero | tr '\\0' x";
    const gemini = await run(process.execPath, [bin, "shell", "--host", "gemini", "-c", line]);
    expect(gemini.out).toContain("artifacts read");
    const rows = await run(process.execPath, [bin, "shell", "--host", "gemini", "-c", "seq 1 5000"]);
    expect(rows.out).toContain("read_file");
    expect(rows.out).toContain(join(home, "state", "spillway", "tool-output"));
    const sed = await run(process.execPath, [bin, "shell", "--host", "codex", "-c", "seq 1 5000"]);
    expect(sed.out).toContain("sed -n");
  });
});

test("every host's limits stay below what any host cuts", () => {
  for (const name of ["claude-code", "codex", "opencode", "gemini", "qwen", "pi"]) {
    const { maxBytes } = findHost(name);
    expect(Math.max(maxBytes.success, maxBytes.failure)).toBeLessThanOrEqual(9500);
  }
});

describe("where a config file asks for redaction", () => {
  /** Made here, so that no file of the project holds what looks like one. */
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

  test("a small output passes node too, and neither it nor an artifact holds a secret", async () => {
    const folder = temporaryFolder("shell-redact");
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, "spillway.yaml"), "redact: true\n");
    const line = (text: string) =>
      run("/bin/sh", ["-c", `cd '${folder}' && exec "${claude}" -c "eval '${text}' && pwd -P >| /dev/null"`]);
    const small = await line(`echo x ${secret}`);
    expect(small.out).toBe("x [redacted:github-token#1]\n");
    const large = await line(`echo ${secret}; seq 1 30000`);
    expect(large.out).toContain("[redacted:github-token#1]");
    expect(small.out + large.out).not.toContain(secret);
    expect(() => execFileSync("grep", ["-rq", secret, folder, home])).toThrow();
  });
});

test("keeps the line as the model wrote it, whatever the agent puts around it", async () => {
  const line = 'echo "it\'s"; seq 1 5000';
  for (const shell of [bashTool, codexShell]) {
    execFileSync("rm", ["-rf", join(root, ".spillway")]);
    await shell(line);
    const [manifest] = readdirSync(join(root, ".spillway/tool-output/.meta")).filter((name) => name.endsWith(".json"));
    const path = join(root, ".spillway/tool-output/.meta", manifest ?? "");
    expect(JSON.parse(readFileSync(path, "utf8")).command).toBe(line);
  }
  execFileSync("rm", ["-rf", join(root, ".spillway")]);
});
