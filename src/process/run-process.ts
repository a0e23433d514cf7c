import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { PLATFORM, startTimer } from "../platform/platform.ts";
import { withContext } from "../telemetry/telemetry.ts";
import { drain, type TakeChunk } from "./drain.ts";
import { openPipe } from "./pipe.ts";
import type { ProcessEnd } from "./process-end.ts";
import { ProcessFamily } from "./process-family.ts";
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
   * Runs the child in its own session, without a terminal. Without this option it shares our terminal and process group.
   * In both cases all its descendants are ended on timeout or abort.
   * @default true
   */
  readonly ownSession?: boolean | undefined;
  /** Called once the child runs, for a caller that forwards signals. */
  readonly onSpawn?: ((child: RunningChild) => void) | undefined;
}

/** A child for a caller that forwards signals to it. */
export interface RunningChild {
  /** Signals the child alone. */
  kill(signal: NodeJS.Signals): void;
  /** Forwards a terminating signal, or one from the terminal; processes that outlive the child are then ended. */
  interrupt(signal: NodeJS.Signals | "seen"): void;
}

const KILL_GRACE_MS = 2000;
const DRAIN_MS = 500;
/** Whoever still holds the pipe of a group that was ended has left it. */
const ENDED_DRAIN_MS = 200;

/** Runs a child with one pipe for both of its streams. Rejects only when it cannot be started. */
export async function runProcess(options: RunProcessOptions): Promise<ProcessEnd> {
  if (options.signal?.aborted) {
    return { exitCode: null, signal: null, timedOut: false, aborted: true, heldOpen: false };
  }
  const ownSession = (options.ownSession ?? true) && PLATFORM.hasProcessGroups;
  const [program, ...args] = options.argv ?? shellArgv(options.command ?? "");
  const stdin = options.stdin ?? "ignore";
  const env = await withContext(options.env ?? process.env);
  const pipe = openPipe();
  const output = pipe?.writeFd ?? "pipe";
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd: options.cwd,
      env,
      stdio: [typeof stdin === "string" ? stdin : "pipe", output, output],
      detached: ownSession,
      windowsHide: true,
    });
  } catch (error) {
    // Arguments that no program can be given; an open reader would keep the process from ending.
    pipe?.reader.destroy();
    throw error;
  } finally {
    pipe?.closeWriter();
  }
  const exited = new Promise<Pick<ProcessEnd, "exitCode" | "signal">>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const readers = pipe ? [pipe.reader] : [child.stdout, child.stderr].filter((stream) => stream !== null);
  const drained = drain(readers, options.onChunk);
  try {
    await once(child, "spawn");
  } catch (error) {
    drained.close();
    throw isMissing(options.cwd) ? new Error(`there is no folder ${JSON.stringify(options.cwd)}`) : error;
  }
  const pid = child.pid as number;
  const untrack = ownSession ? trackGroup(pid) : undefined;
  const family = ownSession || !PLATFORM.hasProcessGroups ? undefined : new ProcessFamily(pid);
  const graceMs = options.killGraceMs ?? KILL_GRACE_MS;
  const end = () => (family === undefined ? endGroup(child, ownSession, graceMs) : family.end(graceMs));
  const watch = watchEnd(options, end);
  let interrupted = false;
  options.onSpawn?.({
    kill: (signal) => child.kill(signal),
    interrupt: (signal) => {
      interrupted = true;
      // Descendants can be found only while their parents live.
      family?.members();
      // Like a terminal does; other signals are meant for the child, which may end its descendants itself.
      if (signal === "SIGINT" && family !== undefined) family.signal(signal);
      else if (signal !== "seen") child.kill(signal);
    },
  });
  if (typeof stdin !== "string") feed(child, stdin);
  const { exitCode, signal } = await exited;
  watch.childExited();
  await watch.ended();
  if (interrupted) await end();
  const drainMs = options.drainMs ?? DRAIN_MS;
  const heldOpen = await drained.finish(watch.cause() === undefined ? drainMs : Math.min(drainMs, ENDED_DRAIN_MS));
  untrack?.();
  return { exitCode, signal, timedOut: watch.cause() === "timeout", aborted: watch.cause() === "abort", heldOpen };
}

/** The system reports a missing folder with the same error as a missing program. */
function isMissing(folder: string | undefined): boolean {
  return folder !== undefined && !existsSync(folder);
}

/** The shell a command line is given to. */
function shellArgv(command: string): [string, ...string[]] {
  const [shell, ...flags] = PLATFORM.shell();
  return [shell === "/bin/sh" && existsSync("/bin/bash") ? "/bin/bash" : shell, ...flags, command];
}

function feed(child: ChildProcess, bytes: Uint8Array): void {
  child.stdin?.on("error", () => {}); // the child may end without reading its input
  child.stdin?.end(bytes);
}

/** Ends the child on timeout or abort, whichever comes first, and records which. */
function watchEnd(options: RunProcessOptions, end: () => Promise<void>) {
  let cause: "timeout" | "abort" | undefined;
  let ending: Promise<void> | undefined;
  const stop = (why: "timeout" | "abort") => {
    if (cause !== undefined) return;
    cause = why;
    ending = end();
  };
  const onAbort = () => stop("abort");
  const timer = startTimer(() => stop("timeout"), options.timeoutMs);
  // It may have been aborted while the child was starting.
  if (options.signal?.aborted === true) onAbort();
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
