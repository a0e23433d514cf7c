import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Listening {
  readonly url: string;
  readonly child: ChildProcess;
  /** Waits for what it prints, and gives the first group of the pattern. */
  told(pattern: RegExp): Promise<string>;
  close(): Promise<void>;
}

/** Starts `node ...args` and waits for the address that it prints on standard error or output. */
export async function listenOn(args: readonly string[], env: Record<string, string> = {}): Promise<Listening> {
  const child = spawn(process.execPath, [...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let seen = "";
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      seen += chunk.toString("utf8");
      const found = /https?:\/\/\S+/.exec(seen)?.[0];
      if (found) resolve(found);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("exit", (code) => reject(new Error(`It ended with code ${code} before it listened: ${seen}`)));
  });
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  };
  const told = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(seen)?.[1];
      if (found !== undefined) return found;
      await Promise.race([once(child.stderr, "data"), once(child.stdout, "data")]);
    }
  };
  return { url, child, told, close };
}
