import { spawn } from "node:child_process";
import type { ToolRun } from "./tool-run.ts";

/** How ripgrep ended, and what it complained of. */
export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 a failure (there may be results all the same); null when it was stopped. */
  readonly exitCode: number | null;
  readonly complaints: string;
}

/** Where a child finds the file that is shared with it. */
export const SHARED_FILE = "/dev/fd/3";

const MAX_COMPLAINT_BYTES = 16_384;

/** Path of ripgrep, or null where there is none. */
export async function findRipgrep(run: ToolRun): Promise<string | null> {
  const { ripgrep } = run.environment;
  if (ripgrep !== undefined) return ripgrep;
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return null;
  }
}

export interface RipgrepOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** @default nothing */
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** An open file that the arguments name as `SHARED_FILE`. */
  readonly sharedFd?: number | undefined;
  readonly onChunk?: (chunk: Buffer) => void;
}

/** Runs ripgrep without any configuration file of the user's. Rejects when it cannot be started. */
export function runRipgrep(options: RipgrepOptions): Promise<RipgrepEnd> {
  const { sharedFd } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(options.program, ["--no-config", ...options.args], {
      cwd: options.cwd,
      stdio: [
        options.input === undefined ? "ignore" : "pipe",
        "pipe",
        "pipe",
        ...(sharedFd === undefined ? [] : [sharedFd]),
      ],
      windowsHide: true,
    });
    const stop = () => child.kill("SIGKILL");
    options.signal?.addEventListener("abort", stop, { once: true });
    if (options.signal?.aborted) stop();
    let complaints = "";
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input);
    child.stdout?.on("data", (chunk: Buffer) => options.onChunk?.(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      if (complaints.length < MAX_COMPLAINT_BYTES) complaints += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (exitCode) => {
      options.signal?.removeEventListener("abort", stop);
      resolve({ exitCode, complaints: complaints.trim() });
    });
  });
}

/** Splits a stream of UTF-8 into texts that end with NUL; each chunk is decoded at once, which is faster than one by one. */
export function splitAtNul(onText: (text: string) => void) {
  let rest: Buffer[] = [];
  const decode = (bytes: Buffer) => {
    for (const text of bytes.toString().split("\0")) onText(text);
  };
  return {
    push(chunk: Buffer): void {
      const end = chunk.lastIndexOf(0);
      if (end === -1) {
        rest.push(chunk);
        return;
      }
      decode(Buffer.concat([...rest, chunk.subarray(0, end)]));
      rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    },
    end(): void {
      if (rest.length > 0) decode(Buffer.concat(rest));
    },
  };
}
