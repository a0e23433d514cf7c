import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import type { Readable } from "node:stream";

/** ripgrep's exit and its error output. */
export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 a failure (there may be results all the same); null when it was stopped. */
  readonly exitCode: number | null;
  readonly complaints: string;
}

/** Where a child finds the file that is shared with it, or the one at another place among several. */
export function sharedFile(at = 0): string {
  return `/dev/fd/${3 + at}`;
}

const MAX_COMPLAINT_BYTES = 16_384;
let found: Promise<string | null> | undefined;

/** Path of the ripgrep that is `given`, otherwise of the packaged one; null if there is none. */
export async function findRipgrep(given?: string | null): Promise<string | null> {
  if (given !== undefined) return given;
  found ??= import("@vscode/ripgrep")
    .then(async ({ rgPath }) => {
      await access(rgPath, constants.X_OK);
      return rgPath;
    })
    .catch(() => null);
  return found;
}

export interface RipgrepOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** @default nothing */
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** Open files that the arguments name as `sharedFile(at)`. */
  readonly sharedFds?: readonly number[] | undefined;
}

/** Receives ripgrep's output, in any chunks. */
export interface RipgrepSink {
  push(chunk: Buffer): void;
}

/** Runs ripgrep to its end, its output into a sink. Rejects when it cannot be started. */
export async function runRipgrep(options: RipgrepOptions, sink?: RipgrepSink): Promise<RipgrepEnd> {
  const output = streamRipgrep(options);
  for (;;) {
    const { done, value } = await output.next();
    if (done === true) return value;
    sink?.push(value);
  }
}

/** The same with backpressure; ripgrep is ended when the consumer stops. */
export async function* streamRipgrep(options: RipgrepOptions): AsyncGenerator<Buffer, RipgrepEnd, void> {
  const { program, args, cwd, input, signal, sharedFds = [] } = options;
  // No configuration file of the user's.
  const child = spawn(program, ["--no-config", ...args], {
    cwd,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe", ...sharedFds],
    windowsHide: true,
  });
  const stop = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  let complaints = "";
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  child.stderr?.on("data", (chunk: Buffer) => {
    if (complaints.length < MAX_COMPLAINT_BYTES) complaints += chunk.toString();
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  closed.catch(() => {});
  let taken = false;
  try {
    for await (const chunk of child.stdout as Readable) yield chunk as Buffer;
    taken = true;
  } catch (error) {
    // If it could not start, that error explains more than its output.
    await closed;
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    if (!taken) stop();
  }
  const [exitCode] = await closed;
  return { exitCode, complaints: complaints.trim() };
}
