import { type ChildProcess, spawn } from "node:child_process";
import { builtPackage } from "./build.ts";

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly out: string;
  readonly err: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  /** Added to the environment; the caller's own TOOL_OUTPUT_* variables are left out. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Called once the process runs, such as to send it a signal. */
  readonly onStart?: (child: ChildProcess) => void;
  readonly uid?: number;
}

/** Runs the built command line as a process of its own. */
export async function spillway(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { bin } = await builtPackage();
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TOOL_OUTPUT_"));
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd,
    env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...options.env },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => {
      const all = Buffer.concat(stdout);
      resolve({ exitCode, signal, stdout: all, out: all.toString(), err: Buffer.concat(stderr).toString() });
    });
  });
}
