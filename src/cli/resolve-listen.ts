import type { Command } from "commander";
import type { ListenOptions } from "../integrations/mcp-shared/listen-address.ts";

/** Flags of the commands that can serve over HTTP. */
export interface ListenFlags {
  readonly listen?: string;
  readonly allowHost?: readonly string[];
  readonly allowRemote?: boolean;
}

/** Adds `--listen`, `--allow-remote` and `--allow-host`. */
export function addListenOptions(command: Command): Command {
  return command
    .option(
      "--listen <host:port>",
      "serve Streamable HTTP at /mcp on this address (default: standard input and output)",
    )
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

/** Where to listen, checked; the token comes from the environment. Undefined means standard input and output. */
export async function resolveListen(flags: ListenFlags): Promise<ListenOptions | undefined> {
  if (flags.listen === undefined) return undefined;
  const { checkListen, parseListen } = await import("../integrations/mcp-shared/listen-address.ts");
  const token = process.env.SPILLWAY_TOKEN;
  const listen = { ...parseListen(flags.listen), token, allowedHosts: flags.allowHost ?? [] };
  checkListen(listen, flags.allowRemote === true);
  return listen;
}
