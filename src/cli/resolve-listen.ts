import type { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import type { ListenOptions } from "../integrations/mcp-shared/listen-address.ts";

/** Something that serves until its client leaves or someone closes it. */
export interface Serving {
  readonly done: Promise<void>;
  close(): Promise<void>;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Waits for the end of a server; a signal ends it in order, with nothing left running. */
export async function serveUntilDone(serving: Serving): Promise<void> {
  const stop = (): void => void serving.close();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await serving.done;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    await serving.close();
    // Standard input may still be open, and would keep the process.
    process.stdin.destroy();
  }
}

/** Flags of the commands that can serve over HTTP. */
export interface ListenFlags {
  readonly listen?: string;
  readonly allowHost?: readonly string[];
  readonly allowRemote?: boolean;
  readonly token?: boolean;
}

/** Adds `--listen`, `--no-token`, `--allow-remote` and `--allow-host`. */
export function addListenOptions(command: Command): Command {
  return command
    .option(
      "--listen <host:port>",
      "serve Streamable HTTP at /mcp on this address (default: standard input and output)",
    )
    .option("--no-token", "let every user and program of this machine use --listen (default: a bearer token is needed)")
    .option("--allow-remote", "let --listen accept connections from other machines (needs SPILLWAY_TOKEN)")
    .option(
      "--allow-host <name>",
      "host name that requests to --listen may use besides localhost; may be repeated",
      collect,
    );
}

/** Gathers the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Where to listen, checked; a token of the user's comes from the environment. Undefined means standard input and output. */
export async function resolveListen(flags: ListenFlags): Promise<ListenOptions | undefined> {
  if (flags.listen === undefined) return undefined;
  const { checkListen, parseListen } = await import("../integrations/mcp-shared/listen-address.ts");
  const { SPILLWAY_TOKEN: own } = process.env;
  if (own && flags.token === false) throw invalidArgument("SPILLWAY_TOKEN and --no-token exclude each other.");
  const token: ListenOptions["token"] = own || (flags.token === false ? false : undefined);
  const listen = { ...parseListen(flags.listen), token, allowedHosts: flags.allowHost ?? [] };
  checkListen(listen, flags.allowRemote === true);
  return listen;
}

/** Says where a server listens and, unless the user chose the token, which one its clients need. */
export function announce(what: string, { url, token }: { readonly url?: string; readonly token?: string }): void {
  if (url === undefined) return;
  process.stderr.write(`spillway: ${what} ${url}\n`);
  if (token === undefined || token === process.env.SPILLWAY_TOKEN) return;
  const ways = "SPILLWAY_TOKEN sets your own, --no-token needs none";
  process.stderr.write(`spillway: clients send "Authorization: Bearer ${token}" (new at each start; ${ways})\n`);
}
