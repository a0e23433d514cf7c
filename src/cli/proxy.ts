import { Command } from "commander";
import { SpillwayError } from "../errors.ts";
import { parseLimit } from "../limits/check.ts";
import { addLimitOptions, addRootOptions, type LimitFlags, resolveLimitFlags, resolveRoot } from "./options.ts";
import { type ListenFlags, resolveListen } from "./resolve-listen.ts";
import { serveUntilDone } from "./serve-until-done.ts";

interface ProxyFlags extends LimitFlags, ListenFlags {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly readers: boolean;
  readonly structured: string;
  readonly maxMediaBytes?: string;
  readonly maxMessageBytes?: string;
}

const EXAMPLES = `
Examples:
  spillway proxy -- npx -y @modelcontextprotocol/server-everything
  spillway proxy --url https://example.com/mcp --header 'Authorization: Bearer \${MY_TOKEN}'
  spillway proxy --listen 127.0.0.1:8080 -- node server.js

Reads SPILLWAY_HEADERS ("Name: value" lines) for --url and SPILLWAY_TOKEN for --listen.`;

/** `spillway proxy`: an MCP proxy that bounds what tools answer. */
export function createProxyCommand(): Command {
  const command = new Command("proxy")
    .description("Stand in front of an MCP server: its tool results come bounded, full outputs are kept and readable.")
    .argument("[command...]", "the server's command, after --")
    .option("--url <url>", "a Streamable HTTP server instead of a command")
    .option("--header <line>", `header for --url; \${NAME} is taken from the environment; may be repeated`, collect)
    .option("--listen <host:port>", "serve Streamable HTTP at /mcp there instead of standard input and output")
    .option("--allow-remote", "let --listen bind beyond loopback (needs SPILLWAY_TOKEN)")
    .option(
      "--allow-host <name>",
      "host name that requests to --listen may use besides loopback; may be repeated",
      collect,
    )
    .option("--no-readers", "do not add the tools that read saved outputs")
    .option(
      "--structured <mode>",
      "structuredContent over the limit: shrink (still fits its schema) or hide-schema",
      "shrink",
    )
    .option("--max-media-bytes <n>", "most base64 bytes of images and audio in a result (default: as --max-bytes)")
    .option("--max-message-bytes <n>", "refuse larger messages (default: 512MB)")
    .addHelpText("after", EXAMPLES);
  return addLimitOptions(addRootOptions(command)).action((server: string[], flags: ProxyFlags) => run(server, flags));
}

async function run(server: readonly string[], flags: ProxyFlags): Promise<void> {
  if ((flags.url === undefined) === (server.length === 0))
    throw new SpillwayError("INVALID_ARGUMENT", "Give either a server command after -- or --url.");
  const structured = parseMode(flags.structured);
  const { readHeaders } = await import("../integrations/mcp-proxy/read-headers.ts");
  const { startProxy } = await import("../integrations/mcp-proxy/start-proxy.ts");
  const listen = await resolveListen(flags);
  const [command = "", ...args] = server;
  const { query: _, ...limits } = { ...resolveLimitFlags(flags), query: undefined };
  const proxy = await startProxy({
    ...resolveRoot(flags),
    ...limits,
    upstream:
      flags.url === undefined
        ? { command, args }
        : { url: parseUrl(flags.url), headers: readHeaders(flags.header ?? [], process.env) },
    listen,
    readers: flags.readers,
    structured,
    maxMediaBytes: size(flags.maxMediaBytes, "--max-media-bytes"),
    maxMessageBytes: size(flags.maxMessageBytes, "--max-message-bytes"),
  });
  if (proxy.url !== undefined) process.stderr.write(`spillway: proxy listens on ${proxy.url}\n`);
  await serveUntilDone(proxy);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function size(text: string | undefined, flag: string): number | undefined {
  return text === undefined ? undefined : parseLimit(text, flag, { units: true });
}

function parseMode(text: string): "shrink" | "hide-schema" {
  if (text === "shrink" || text === "hide-schema") return text;
  throw new SpillwayError(
    "INVALID_ARGUMENT",
    `--structured must be shrink or hide-schema, not ${JSON.stringify(text)}.`,
  );
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new SpillwayError("INVALID_ARGUMENT", `--url must be an http or https address, not ${JSON.stringify(text)}.`);
}
