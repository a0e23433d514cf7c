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

/** Splits a stream of bytes into records that end with `separator`; each is handed on as it completes. */
export function splitRecords(separator: number, onRecord: (record: Buffer) => void) {
  let rest: Buffer[] = [];
  return {
    push(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
        const piece = chunk.subarray(start, end);
        onRecord(rest.length === 0 ? piece : Buffer.concat([...rest, piece]));
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    },
    end(): void {
      if (rest.length > 0) onRecord(Buffer.concat(rest));
    },
  };
}
