import { Command } from "commander";
import { HOST_NAMES } from "./init/hosts.ts";
import { addRootOptions, type RootOptions, resolveRoot } from "./options.ts";

interface InitFlags extends RootOptions {
  readonly name?: string;
  readonly user?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

const EXAMPLES = `
Examples:
  spillway init claude-code                                   Spillway's own tools, in this project
  spillway init cursor --name files -- npx -y @modelcontextprotocol/server-filesystem .
                                                              that server, behind the proxy
  spillway init claude-code --remove                          take it out again

Hosts: ${HOST_NAMES.join(", ")}.`;

/** `spillway init`: writes Spillway into an agent's MCP configuration. */
export function createInitCommand(): Command {
  const command = new Command("init")
    .description("Add Spillway's tools, or a server behind its proxy, to an agent's MCP configuration. Asks first.")
    .argument("<host>", HOST_NAMES.join(", "))
    .argument("[server...]", "a server's command, after --, to put the proxy in front of")
    .option("--name <name>", "name of the entry (default: spillway)")
    .option("--user", "the user's configuration instead of the project's")
    .option("--remove", "take the entry out again; a file that nobody changed since becomes what it was, to the byte")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", EXAMPLES);
  return addRootOptions(command).action(async (hostName: string, server: string[], flags: InitFlags) => {
    const { writeHostEntry } = await import("./init/write-host-entry.ts");
    const { root } = resolveRoot(flags);
    const { name, user, remove, yes } = flags;
    await writeHostEntry({ hostName, server, root, name, user, remove, yes });
  });
}
