import type { ListenOptions } from "../integrations/mcp-shared/listen-address.ts";

/** Flags of the commands that can serve over HTTP. */
export interface ListenFlags {
  readonly listen?: string;
  readonly allowHost?: readonly string[];
  readonly allowRemote?: boolean;
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
