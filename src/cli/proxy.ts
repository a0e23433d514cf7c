import { Command, Option } from "commander";
import { invalidArgument } from "../errors.ts";
import type { StructuredMode } from "../integrations/mcp-proxy/message/bound-context.ts";
import type { ProxyOptions } from "../integrations/mcp-proxy/start-proxy.ts";
import { webAddress } from "../integrations/mcp-shared/listen-address.ts";
import { given, parseBytes, parseLimit } from "../limits/check.ts";
import {
  addLimitOptions,
  addRedactOption,
  addRootOptions,
  type LimitFlags,
  resolveLimitFlags,
  resolveRoot,
} from "./options.ts";
import { isSwitchedOff, passThrough } from "./pass-through.ts";
import {
  addListenOptions,
  announce,
  collect,
  type ListenFlags,
  resolveListen,
  serveUntilDone,
} from "./resolve-listen.ts";

interface ProxyFlags extends LimitFlags, ListenFlags {
  readonly host?: string;
  readonly url?: string;
  /** True where the user's configuration has them. */
  readonly servers?: string | true;
  readonly tools: string;
  readonly pin?: readonly string[];
  readonly header?: readonly string[];
  readonly readers: boolean;
  readonly reader?: string;
  readonly name?: string;
  readonly structured: string;
  readonly maxMediaBytes?: string;
  readonly maxSessions?: string;
  readonly maxMessageBytes?: string;
}

const MODES: readonly StructuredMode[] = ["auto", "shrink", "hide-schema", "text"];

const EXAMPLES = `
Examples:
  spillway proxy -- npx -y @modelcontextprotocol/server-everything
  spillway proxy --url https://example.com/mcp --header 'Authorization: Bearer \${MY_TOKEN}'
  spillway proxy --servers mcp.json
  spillway proxy --servers mcp.json --tools lazy --pin 'playwright__browser_*'
  spillway proxy --listen 127.0.0.1:8080 -- node server.js

Environment: SPILLWAY_HEADERS ("Name: value" lines) adds headers to --url, SPILLWAY_TOKEN protects --listen.`;

/** `spillway proxy`: an MCP proxy that bounds what tools answer. */
export function createProxyCommand(): Command {
  const command = new Command("proxy")
    .description(
      "Run in front of an MCP server: tool results come out bounded, and full outputs are saved where the model can read them.",
    )
    .argument("[command...]", "the server's command, after --")
    .option("--url <url>", "connect to a Streamable HTTP server instead of starting a command (default: none)")
    .option("--header <line>", `header for --url; \${NAME} is replaced from the environment; may be repeated`, collect)
    .option(
      "--servers [file]",
      "serve several servers, from a file with mcpServers (Claude, Cursor) or servers (VS Code) (default: those in your configuration)",
    )
    .addOption(
      new Option(
        "--tools <mode>",
        "with --servers: all tools, or lazy (find_tools and call_tool instead of every definition)",
      )
        .choices(["all", "lazy"])
        .default("all", "all"),
    )
    .option(
      "--pin <name>",
      "SERVER__tool to show in spite of --tools lazy; * matches anything; may be repeated",
      collect,
    );
  addListenOptions(command)
    .option("--host <name>", "the agent that starts the proxy (default: recognized by the client's name)")
    .option("--name <server>", "the server's name in the client's configuration (default: unknown)")
    .option("--no-readers", "do not add the tool that reads saved outputs")
    .option(
      "--reader <tool>",
      "use this tool of another server, as the model sees it, instead of adding one (default: none)",
    )
    .addOption(
      new Option(
        "--structured <mode>",
        "structuredContent over the limit: shrink it (still fits its schema), hide-schema, text (leave it out), or auto, depending on the client",
      ).default("auto", "auto"),
    )
    .option(
      "--max-media-bytes <n>",
      "most base64 bytes of images and audio in a result (default: what the client accepts, else 5000000)",
    )
    .option("--max-sessions <n>", "most sessions at a time with --listen; each has its own server (default: 32)")
    .option("--max-message-bytes <n>", "refuse larger messages (default: 512MB)")
    .addHelpText("after", EXAMPLES);
  return addRedactOption(addLimitOptions(addRootOptions(command))).action((server: string[], flags: ProxyFlags) =>
    run(server, flags),
  );
}

async function run(server: readonly string[], flags: ProxyFlags): Promise<void> {
  const upstreams = [flags.url !== undefined, flags.servers !== undefined, server.length > 0].filter(Boolean);
  if (upstreams.length !== 1)
    throw invalidArgument("Say which server: a command after --, --url URL, or --servers [FILE].");
  if (flags.servers === undefined && (flags.tools !== "all" || flags.pin))
    throw invalidArgument("--tools and --pin work only with --servers.");
  const structured = parseMode(flags.structured);
  // A server behind an address, or one that is asked for over HTTP, cannot be reached without us.
  if (isSwitchedOff() && server.length > 0 && flags.listen === undefined)
    return passThrough(server[0]!, server.slice(1));
  const { startProxy } = await import("../integrations/mcp-proxy/start-proxy.ts");
  const { clientOfHost, findClient } = await import("../integrations/hosts/find-host.ts");
  const listen = await resolveListen(flags);
  const host = flags.host === undefined ? undefined : clientOfHost(flags.host);
  const { openDatabase } = await import("./agent/open-sessions.ts");
  const database = await openDatabase(flags);
  const proxy = await startProxy({
    ...resolveRoot(flags),
    records: database,
    ...resolveLimitFlags(flags),
    upstream: await resolveUpstream(server, flags),
    listen,
    readers: flags.reader ?? flags.readers,
    serverName: flags.name,
    clients: host === undefined ? findClient : () => host,
    structured,
    maxMediaBytes: given(flags.maxMediaBytes, "--max-media-bytes", parseBytes),
    maxSessions: given(flags.maxSessions, "--max-sessions", parseLimit),
    maxMessageBytes: given(flags.maxMessageBytes, "--max-message-bytes", parseBytes),
  });
  announce("proxy listens on", proxy);
  await serveUntilDone(proxy).finally(() => database?.close());
}

async function resolveUpstream(
  [command = "", ...args]: readonly string[],
  flags: ProxyFlags,
): Promise<ProxyOptions["upstream"]> {
  const { url, header, servers, tools, pin } = flags;
  if (servers !== undefined) {
    const { resolveServers } = await import("./resolve-servers.ts");
    return { ...(await resolveServers(servers, flags)), tools: tools === "lazy" ? "lazy" : "all", pin };
  }
  if (url === undefined) return { command, args };
  const { readHeaders } = await import("../integrations/mcp-proxy/read-headers.ts");
  return { url: parseUrl(url), headers: readHeaders(header ?? [], process.env) };
}

function parseMode(text: string): StructuredMode {
  const mode = MODES.find((each) => each === text);
  if (mode !== undefined) return mode;
  throw invalidArgument(`--structured must be one of ${MODES.join(", ")}, not ${JSON.stringify(text)}.`);
}

function parseUrl(text: string): URL {
  const url = webAddress(text);
  if (url) return url;
  throw invalidArgument(`--url must be an http or https address, not ${JSON.stringify(text)}.`);
}
