import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { drain, type TakeChunk } from "./drain.ts";
import { openPipe } from "./pipe.ts";
import type { ProcessEnd } from "./process-end.ts";
import { endGroup, trackGroup } from "./process-group.ts";

export interface RunProcessOptions {
  /** A program and its arguments. Exactly one of `argv` and `command`. */
  readonly argv?: readonly [string, ...string[]] | undefined;
  /** A line for the shell: bash where there is one, else `/bin/sh`. */
  readonly command?: string | undefined;
  /** @default process.cwd() */
  readonly cwd?: string | undefined;
  /** The whole environment of the child. @default process.env */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** @default "ignore": the child reads an empty input */
  readonly stdin?: "ignore" | "inherit" | Uint8Array | undefined;
  /** Takes both streams' bytes in arrival order. */
  readonly onChunk: TakeChunk;
  readonly signal?: AbortSignal | undefined;
  /** @default no limit */
  readonly timeoutMs?: number | undefined;
  /** Time between SIGTERM and SIGKILL. @default 2000 */
  readonly killGraceMs?: number | undefined;
  /** How long to read on, after the child's end, from a silent pipe that others still hold. @default 500 */
  readonly drainMs?: number | undefined;
  /**
   * Runs the child in a session of its own: no terminal, and all of its group ends on timeout or abort. Without it the
   * child shares our terminal and only the child itself is ended.
   * @default true
   */
  readonly ownSession?: boolean | undefined;
  /** Called once the child runs, for a caller that forwards signals. */
  readonly onSpawn?: ((child: { readonly pid: number; kill(signal: NodeJS.Signals): void }) => void) | undefined;
}

const KILL_GRACE_MS = 2000;
const DRAIN_MS = 500;

/** Runs a child with one pipe for both of its streams. Rejects only when it cannot be started. */
export async function runProcess(options: RunProcessOptions): Promise<ProcessEnd> {
  if (options.signal?.aborted) {
    return { exitCode: null, signal: null, timedOut: false, aborted: true, heldOpen: false };
  }
  const ownSession = (options.ownSession ?? true) && process.platform !== "win32";
  const [program, ...args] = options.argv ?? shellArgv(options.command ?? "");
  const stdin = options.stdin ?? "ignore";
  const pipe = openPipe();
  const output = pipe?.writeFd ?? "pipe";
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: [typeof stdin === "string" ? stdin : "pipe", output, output],
    detached: ownSession,
    windowsHide: true,
  });
  pipe?.closeWriter();
  const exited = exitOf(child);
  const readers = pipe ? [pipe.reader] : [child.stdout, child.stderr].filter((stream) => stream !== null);
  const drained = drain(readers, options.onChunk);
  try {
    await started(child);
  } catch (error) {
    drained.close();
    throw error;
  }
  const pid = child.pid as number;
  const untrack = ownSession ? trackGroup(pid) : undefined;
  const end = () => endGroup(child, ownSession, options.killGraceMs ?? KILL_GRACE_MS);
  const watch = watchEnd(options, end);
  options.onSpawn?.({ pid, kill: (signal) => child.kill(signal) });
  if (typeof stdin !== "string") feed(child, stdin);
  const { exitCode, signal } = await exited;
  watch.childExited();
  await watch.ended();
  const heldOpen = await drained.finish(options.drainMs ?? DRAIN_MS);
  untrack?.();
  return { exitCode, signal, timedOut: watch.cause() === "timeout", aborted: watch.cause() === "abort", heldOpen };
}

/** The shell a command line is given to. */
function shellArgv(command: string): [string, ...string[]] {
  if (process.platform === "win32") return [process.env.ComSpec ?? "cmd.exe", "/d", "/s", "/c", command];
  return [existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh", "-c", command];
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function feed(child: ChildProcess, bytes: Uint8Array): void {
  child.stdin?.on("error", () => {}); // the child may end without reading its input
  child.stdin?.end(bytes);
}

/** Ends the child on timeout or abort, whichever comes first, and remembers which it was. */
function watchEnd(options: RunProcessOptions, end: () => Promise<void>) {
  let cause: "timeout" | "abort" | undefined;
  let ending: Promise<void> | undefined;
  const stop = (why: "timeout" | "abort") => {
    if (cause !== undefined) return;
    cause = why;
    ending = end();
  };
  const onAbort = () => stop("abort");
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), options.timeoutMs);
  options.signal?.addEventListener("abort", onAbort, { once: true });
  return {
    cause: () => cause,
    ended: async () => ending,
    childExited() {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    },
  };
}
