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
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

const EXAMPLES = `
Examples:
  spillway init                          every agent found on this machine; shows what would change, and asks
  spillway init claude-code --yes        what works best for Claude Code, without asking
  spillway init cursor --mcp             put the MCP servers configured there behind the proxy
  spillway init cursor --name files -- npx -y @modelcontextprotocol/server-filesystem .
                                         add a server, behind the proxy
  spillway init cursor --mcp -- --max-bytes 20000
  spillway init cursor --name files -- --max-bytes 20000 -- node server.js
                                         the same, with options for the proxy
  spillway init claude-code --name spillway
                                         add Spillway's own tools as an MCP server
  spillway init claude-code --remove     undo it`;

/** `spillway init`: puts Spillway into agents. */
export function createInitCommand(): Command {
  const command = new Command("init")
    .description(
      "Add Spillway to an agent: to its shell, its other tools' results, its MCP servers. It asks first and can be undone.",
    )
    .argument("[host]", HOST_NAMES.join(", "))
    .argument(
      "[server...]",
      "command of an MCP server to put behind the proxy, after --; proxy options and another -- may come before it",
    )
    .option("--user", "change your user configuration (the default, except with --name or a server)")
    .option(
      "--project",
      "change the project's configuration, where the agent has a file that is not shared with others",
    )
    .option("--shell", "bound what its shell prints; its permission rules stay in force")
    .option("--results", "bound the results of its other tools")
    .option("--mcp", "put the MCP servers it has configured behind the proxy")
    .option("--all", "every agent found on this machine")
    .option(
      "--name <name>",
      "add one MCP server under this name: the command after --, or else Spillway's own tools (default: none)",
    )
    .option("--dry-run", "only show what would change")
    .option("--print", "only print the lines to add by hand, for files that another tool manages")
    .option("--remove", "undo it; a file that was not changed since goes back to what it was, byte for byte")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", EXAMPLES);
  return addRootOptions(command).action(async (host: string | undefined, server: string[], flags: InitFlags) => {
    const { root } = resolveRoot(flags);
    const { name, user, project, remove, yes } = flags;
    if (user === true && project === true) throw invalidArgument("Use either --user or --project, not both.");
    if (host !== undefined && flags.all === true)
      throw invalidArgument("--all already means every agent; leave out the name.");
    const { splitServer } = await import("./init/write-host-entry.ts");
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
      print: flags.print === true,
      remove: remove === true,
      yes: yes === true,
      proxyFlags,
    });
  });
}
