import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { HOST_NAMES } from "../integrations/hosts/find-host.ts";
import { addRootOptions, type RootOptions, resolveRoot } from "./options.ts";

interface InitFlags extends RootOptions {
  readonly name?: string;
  readonly user?: boolean;
  readonly project?: boolean;
  readonly shell?: boolean;
  readonly results?: boolean;
  readonly mcp?: boolean;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

const EXAMPLES = `
Examples:
  spillway init                          every agent found on this machine; says what it would change, and asks
  spillway init claude-code --yes        what is best for Claude Code
  spillway init cursor --mcp             the MCP servers that are configured there, behind the proxy
  spillway init cursor --name files -- npx -y @modelcontextprotocol/server-filesystem .
                                         one more server, behind the proxy
  spillway init cursor --mcp -- --max-bytes 20000
  spillway init cursor --name files -- --max-bytes 20000 -- node server.js
                                         the same with options of the proxy
  spillway init claude-code --name spillway
                                         Spillway's own tools as an MCP server
  spillway init claude-code --remove     take it out again

Hosts: ${HOST_NAMES.join(", ")}.`;

/** `spillway init`: puts Spillway into agents. */
export function createInitCommand(): Command {
  const command = new Command("init")
    .description("Put Spillway into an agent: its shell, its results, its MCP servers. Asks first, and can be undone.")
    .argument("[host]", HOST_NAMES.join(", "))
    .argument(
      "[server...]",
      "a server's command, after --, to put the proxy in front of; options of the proxy and another -- may come before it",
    )
    .option("--user", "the user's configuration (default, but for --name and a server)")
    .option("--project", "the project's own, as far as it is not shared with others")
    .option("--shell", "what the shell prints, below the agent's permission rules")
    .option("--results", "the results of the agent's other tools")
    .option("--mcp", "the MCP servers that are configured there, each behind the proxy")
    .option("--all", "every agent found on this machine")
    .option(
      "--name <name>",
      "one entry among the agent's MCP servers: the server after --, or Spillway's own tools (default: no entry)",
    )
    .option("--dry-run", "only say what would change")
    .option("--remove", "take it out again; a file that nobody changed since becomes what it was, to the byte")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", EXAMPLES);
  return addRootOptions(command).action(async (host: string | undefined, server: string[], flags: InitFlags) => {
    const { root } = resolveRoot(flags);
    const { name, user, project, remove, yes } = flags;
    if (user === true && project === true) throw invalidArgument("--user and --project ask for two different things.");
    if (host !== undefined && flags.all === true) throw invalidArgument("--all takes no host's name.");
    const { splitServer } = await import("./init/split-server.ts");
    const { command: own, proxyFlags } = splitServer(server, flags.mcp === true);
    if (host !== undefined && flags.mcp !== true && (name !== undefined || own.length > 0)) {
      const { writeHostEntry } = await import("./init/write-host-entry.ts");
      return writeHostEntry({ hostName: host, server: own, proxyFlags, root, name, user, remove, yes });
    }
    const { initHosts } = await import("./init/init-hosts.ts");
    await initHosts({
      hostName: host,
      parts: (["shell", "results", "mcp"] as const).filter((part) => flags[part] === true),
      project: project === true,
      root,
      dryRun: flags.dryRun === true,
      remove: remove === true,
      yes: yes === true,
      proxyFlags,
    });
  });
}
