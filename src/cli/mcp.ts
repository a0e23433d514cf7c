import { Command } from "commander";
import { createLoginCommand, createLogoutCommand } from "./mcp-login.ts";
import { addRedactOption, addRootOptions, type RootOptions, resolveRoot } from "./options.ts";
import { addListenOptions, announce, type ListenFlags, resolveListen, serveUntilDone } from "./resolve-listen.ts";

interface McpFlags extends RootOptions, ListenFlags {
  readonly allowWrite?: boolean;
  readonly allowBash?: boolean;
}

const EXAMPLES = `
Examples:
  spillway mcp --root .                            tools that read, over standard input and output
  spillway mcp --root . --allow-write --allow-bash
  spillway mcp --root . --listen 127.0.0.1:8080    over Streamable HTTP at /mcp
  spillway mcp login https://example.com/mcp       for "spillway proxy --url" and "--servers"`;

/** `spillway mcp`: the built-in tools as an MCP server. */
export function createMcpCommand(): Command {
  const command = new Command("mcp")
    .description(
      "Serve the built-in tools, the artifact tools and Explore over MCP. They only read, and only below the root.",
    )
    .option("--allow-write", "also offer Write and Edit")
    .option("--allow-bash", "also offer Bash")
    .addHelpText("after", EXAMPLES);
  addRedactOption(addRootOptions(addListenOptions(command))).action((flags: McpFlags) => run(flags));
  return command.addCommand(createLoginCommand()).addCommand(createLogoutCommand());
}

async function run(flags: McpFlags): Promise<void> {
  const { startMcpServer } = await import("../integrations/mcp-server/start-server.ts");
  const listen = await resolveListen(flags);
  const { allowWrite, allowBash } = flags;
  const { openDatabase } = await import("./agent/open-sessions.ts");
  const records = await openDatabase(flags);
  const server = await startMcpServer({ ...resolveRoot(flags), records, allowWrite, allowBash, listen });
  announce("tools are served on", server);
  await serveUntilDone(server).finally(() => records?.close());
}
