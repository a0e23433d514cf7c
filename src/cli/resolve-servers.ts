import { invalidArgument } from "../errors.ts";
import { findMcpRules, type McpRule } from "../integrations/hosts/find-mcp-rules.ts";
import {
  isAllowed,
  parseServers,
  readServersFile,
  type ServerEntry,
  type ServersFile,
} from "../integrations/mcp-proxy/servers/read-servers.ts";
import { readConfiguration } from "../limits/configuration.ts";
import { userConfigFile } from "../limits/trusted-folders.ts";
import { type RootOptions, resolveRoot } from "./options.ts";

/**
 * The servers of a file, or of the user's configuration when none is named. Throws when a host has rules for one of them: behind
 * one proxy there is only one server, and the host would look for the others in vain.
 */
export async function resolveServers(
  file: string | true,
  flags: RootOptions & { readonly host?: string; readonly tools?: string },
): Promise<ServersFile> {
  const { root, config } = resolveRoot(flags);
  const found = file === true ? await configuredServers(root, config) : readServersFile(file);
  const entries = parseServers(found.servers, file === true ? "servers" : file);
  const lazy = flags.tools === "lazy";
  const rules = findMcpRules(
    entries.map(({ key }) => key),
    root,
    { host: flags.host, hidden: lazy },
  );
  const broken = rules.filter((rule) => !isKept(rule, entries));
  // Who is asked about call_tool answers for all tools, also for those that are not allowed.
  const [lost] = broken.filter(({ effect, tool }) => effect !== "allow" || (lazy && tool !== undefined));
  if (lost)
    throw invalidArgument(
      `${lost.file} (${lost.host}) has a rule for the server ${lost.server}, which it would not find behind one proxy: ` +
        `${JSON.stringify(lost.rule)}. Wrap that server in place (spillway init ${lost.host} --mcp), or take the rule out` +
        `${lost.effect === "deny" ? ` and put the tool into "deny" of the server's entry` : ""}.`,
    );
  for (const { file: place, rule } of broken)
    process.stderr.write(
      `spillway: ${place} allows ${rule}, which does not fit a name behind one proxy: the host will ask\n`,
    );
  return found;
}

async function configuredServers(root: string, config: string | false | undefined): Promise<ServersFile> {
  const { servers } = await readConfiguration(root, config);
  if (servers) return { servers: { ...servers }, inputs: {} };
  throw invalidArgument(
    `There are no servers in your configuration (${userConfigFile()}); add them there under servers:, or name a file.`,
  );
}

/** A rule that denies what the proxy denies as well loses nothing. */
function isKept({ effect, server, tool }: McpRule, entries: readonly ServerEntry[]): boolean {
  const entry = entries.find(({ key }) => key === server);
  return effect === "deny" && tool !== undefined && entry !== undefined && !isAllowed(entry, tool);
}
