import { spawn } from "node:child_process";
import { constants } from "node:os";
import { pipeline } from "node:stream/promises";

/** True when the user wants everything to be as if Spillway were not there. */
export function isSwitchedOff(): boolean {
  return process.env.SPILLWAY === "off";
}

/** Starts a program in our place: its streams are ours, signals go on to it, and we end as it ends. */
export async function passThrough(
  program: string,
  args: readonly string[],
  options: { readonly shell?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const child = spawn(program, [...args], { stdio: "inherit", ...options });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
    process.on(signal, () => {
      // Ctrl-C on a terminal reaches it by itself.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Standard input as it is. */
export async function passInput(): Promise<void> {
  await pipeline(process.stdin, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    // A reader that went away, such as `head`, is no failure of ours.
    if (error.code !== "EPIPE") throw error;
  });
}
