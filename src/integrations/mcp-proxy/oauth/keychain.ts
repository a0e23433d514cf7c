import { spawn } from "node:child_process";
import { once } from "node:events";
import { PLATFORM } from "../../../platform/platform.ts";

/** The system's own place for secrets. */
export interface Keychain {
  readonly name: string;
  read(account: string): Promise<string | undefined>;
  /** Never puts the secret where other processes can see it, such as arguments. */
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = "spillway-mcp";
/** A keychain that has not answered by then waits for somebody who is not there. */
const PATIENCE_MS = 5000;

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** The system's keychain when it can be used from here: the Secret Service on Linux, the keychain of macOS. */
export async function findKeychain(): Promise<Keychain | undefined> {
  if (PLATFORM.keychain === "macos") return macosKeychain();
  if (PLATFORM.keychain === undefined || !process.env.DBUS_SESSION_BUS_ADDRESS) return undefined;
  const keychain = secretService();
  const probe = await run("secret-tool", ["search", "service", `${SERVICE}-probe`], "").catch(() => undefined);
  return probe?.code === 0 || (probe?.code === 1 && probe.output === "") ? keychain : undefined;
}

function secretService(): Keychain {
  const attributes = (account: string): string[] => ["service", SERVICE, "account", account];
  return {
    name: "the keychain (Secret Service)",
    read: async (account) => {
      const { code, output } = await run("secret-tool", ["lookup", ...attributes(account)], "");
      return code === 0 && output !== "" ? output : undefined;
    },
    write: async (account, secret) => {
      const label = `Spillway: login to ${account}`;
      const { code, output } = await run("secret-tool", ["store", "--label", label, ...attributes(account)], secret);
      if (code !== 0) throw new Error(`secret-tool store failed: ${output.trim()}`);
    },
    remove: async (account) => {
      await run("secret-tool", ["clear", ...attributes(account)], "");
    },
  };
}

function macosKeychain(): Keychain {
  const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  return {
    name: "the keychain",
    read: async (account) => {
      const { code, output } = await run("security", ["find-generic-password", "-s", SERVICE, "-a", account, "-w"], "");
      return code === 0 ? Buffer.from(output.trim(), "base64").toString("utf8") : undefined;
    },
    write: async (account, secret) => {
      const encoded = Buffer.from(secret).toString("base64");
      // Commands on standard input are not in the process list.
      const line = `add-generic-password -U -s ${SERVICE} -a ${quoted(account)} -w ${quoted(encoded)}\n`;
      const { code, output } = await run("security", ["-i"], line);
      if (code !== 0) throw new Error(`security failed: ${output.trim()}`);
    },
    remove: async (account) => {
      await run("security", ["delete-generic-password", "-s", SERVICE, "-a", account], "");
    },
  };
}

async function run(program: string, args: readonly string[], input: string): Promise<Ran> {
  const child = spawn(program, [...args], { stdio: ["pipe", "pipe", "pipe"], timeout: PATIENCE_MS });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: code === 0 ? output : `${output}${complaint}` };
}
