import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { frontFiles } from "../../integrations/hosts/front-files.ts";
import type { Host } from "../../integrations/hosts/host.ts";
import { pluginText } from "../../integrations/hosts/plugin-files.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import { VERSION } from "../../version.ts";

export interface HostCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

const LINES = 4000;
const NEEDLE = "error: spillway doctor was here";

/** Looks at what `init` wrote for a host, and runs its front with a small and a large output. */
export async function checkHost(host: Host): Promise<readonly HostCheck[]> {
  return [checkProgram(), ...checkFiles(host), ...(await tryFront(host))];
}

function checkProgram(): HostCheck {
  const program = path.join(installedFolder(), "bin", "spillway.mjs");
  const ok = existsSync(program);
  return { name: "program", ok, detail: ok ? program : `${program} is missing; run spillway init again` };
}

function checkFiles(host: Host): HostCheck[] {
  const checks: HostCheck[] = [];
  const { shell, results } = host;
  if (shell !== undefined) {
    const front = frontFiles(host, shell, installedFolder()).at(-1)!.path;
    const file = shell.by === "bash-env-dotenv" ? shell.envFile() : shell.settings();
    checks.push(checkMention("shell", file, front));
  }
  if (results !== undefined) {
    const text = pluginText(host, results, installedFolder());
    checks.push(checkMention("results", results.userFile(), text));
  }
  return checks;
}

function checkMention(name: string, file: string, needed: string): HostCheck {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { name, ok: false, detail: `${file} is not there; run spillway init` };
  }
  if (text.includes(needed) || text.includes(JSON.stringify(needed).slice(1, -1)))
    return { name, ok: true, detail: file };
  const old = /spillway[/\\](\d+\.\d+\.\d+)/.exec(text)?.[1];
  return {
    name,
    ok: false,
    detail:
      old !== undefined && old !== VERSION
        ? `${file} names version ${old}, this is ${VERSION}; run spillway init again`
        : `${file} does not name Spillway; run spillway init`,
  };
}

/** A small output must come as it is, a large one with its error line and the whole of it in an artifact. */
async function tryFront(host: Host): Promise<HostCheck[]> {
  if (host.shell === undefined) return [];
  const front = frontFiles(host, host.shell, installedFolder())[0]!.path;
  if (!existsSync(front)) return [{ name: "front", ok: false, detail: `${front} is missing; run spillway init again` }];
  const folder = mkdtempSync(path.join(tmpdir(), "spillway-doctor-"));
  try {
    const holds = host.shell.by === "prefix" ? `${host.shell.lineHolds} /dev/null` : "true";
    const run = (line: string): Promise<string> =>
      runFront(front, host.shell?.by === "prefix" ? [`{ ${line}; } && ${holds}`] : ["/bin/sh", "-c", line], folder);
    const small = await run("echo small");
    const loop = `i=0; while [ $i -lt ${LINES} ]; do echo "line $i of a long output"; [ $i = 2000 ] && echo "${NEEDLE}"; i=$((i+1)); done`;
    const large = await run(loop);
    const within = Buffer.byteLength(large) <= host.maxBytes.success;
    const ok = small === "small\n" && within && large.includes(NEEDLE) && /Full output saved/.test(large);
    const detail = ok
      ? `a small output passes, ${LINES} lines come as ${Buffer.byteLength(large)} bytes with their error`
      : `a test output did not come as it should (${Buffer.byteLength(large)} bytes)`;
    return [{ name: "front", ok, detail }];
  } catch (error) {
    return [{ name: "front", ok: false, detail: error instanceof Error ? error.message : String(error) }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runFront(front: string, args: readonly string[], cwd: string): Promise<string> {
  // As a host would: not from inside another front, and not switched off.
  const { SPILLWAY: _off, SPILLWAY_INSIDE: _inside, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(front, [...args], { cwd, env, timeout: 60_000 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}
