import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isObject } from "../../../bytes/json/is-object.ts";
import { invalidConfig } from "../../../errors.ts";
import type { Redaction } from "../../../redact/redaction.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import { webAddress } from "../../mcp-shared/listen-address.ts";
import { CALL_TOOL, readCall } from "../lazy-tools/lazy-tools.ts";
import type { OpenLink } from "../link/link.ts";
import { createLinks, type UpstreamTarget } from "../link/upstream.ts";
import { ProxySession, type SessionOptions } from "../session/session.ts";
import type { Spool } from "../spool/spool.ts";
import { ListCache } from "./list-cache.ts";
import { expandVariables, parseServers, type ServerEntry, type VariableSources } from "./read-servers.ts";
import { ServersLink } from "./servers-link.ts";

/** A server's target: its entry with all variables expanded. Throws an error that names the problem. */
export function resolveTarget({ settings }: ServerEntry, sources: VariableSources): UpstreamTarget {
  const fill = (value: unknown, key: string): string => {
    if (typeof value === "string") return expandVariables(value, sources);
    throw invalidConfig(`its ${key} must be a text`);
  };
  const fillAll = (value: unknown, key: string): Record<string, string> => {
    if (value === undefined) return {};
    if (!isObject(value)) throw invalidConfig(`its ${key} must be a mapping`);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, fill(typeof each === "number" ? `${each}` : each, key)]),
    );
  };
  const { type, command, args = [], cwd, env, envFile, url, serverUrl, httpUrl, headers } = settings;
  const address = httpUrl ?? serverUrl ?? url;
  if (address !== undefined) {
    if (type === "sse") throw invalidConfig("it speaks SSE of 2024-11-05; only Streamable HTTP is supported");
    const filled = fill(address, "url");
    if (!webAddress(filled)) throw invalidConfig(`its url must be an http or https address, not ${filled}`);
    return { url: filled, headers: fillAll(headers, "headers") };
  }
  if (command === undefined) throw invalidConfig("it has neither command nor url");
  if (!Array.isArray(args)) throw invalidConfig("its args must be a list");
  return {
    command: fill(command, "command"),
    args: args.map((each) => fill(each, "args")),
    ...(cwd === undefined ? {} : { cwd: resolve(sources.root, fill(cwd, "cwd")) }),
    env: {
      ...sources.environment,
      ...(envFile === undefined ? {} : readEnvFile(resolve(sources.root, fill(envFile, "envFile")))),
      ...fillAll(env, "env"),
    },
  };
}

function readEnvFile(path: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw invalidConfig(`its envFile cannot be read: ${(error as Error).message}`);
  }
  const lines = text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\n#]*))/gm);
  return Object.fromEntries(
    [...lines].map(([, name, double, single, bare]) => [name, double ?? single ?? bare!.trim()]),
  );
}

/** Several servers behind one proxy. */
export interface ServersTarget {
  /** By name, as in `mcpServers` of an `mcp.json`; each may have `allow`, `deny` and `pin`, lists of its tools. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** Defaults of VS Code's `inputs`. @default none */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  /** `lazy` shows find_tools and call_tool instead of all tools. @default "all" */
  readonly tools?: "all" | "lazy" | undefined;
  /** Whole names (`SERVER__tool`) of tools that `lazy` shows nevertheless; `*` stands for any characters. @default none */
  readonly pin?: readonly string[] | undefined;
  /** Where `${NAME}` in an entry gets its value, and what servers inherit. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

interface ServersContext {
  readonly root: string;
  readonly spool: Spool;
  readonly redaction: Redaction | undefined;
  readonly session: Pick<SessionOptions, "spillway" | "report" | "maxMediaBytes" | "transport">;
}

/** The way to several servers at once, and what a call on it is really for. */
export function createServersLinks(
  target: ServersTarget,
  { root, spool, redaction, session }: ServersContext,
): { readonly openLink: OpenLink; readonly toolOf: (params: JsonObject) => string | undefined } {
  const entries = parseServers(target.servers, "servers");
  const environment = target.environment ?? process.env;
  const sources: VariableSources = { root, environment, inputs: target.inputs ?? {} };
  const cache = new ListCache(root);
  const { tools = "all", pin = [] } = target;
  return {
    openLink: async (events) =>
      new ServersLink(
        {
          entries,
          cache,
          tools,
          pin,
          report: session.report,
          openSession: async (entry, client, onFatal) => {
            const report = (message: string): void => session.report(`${entry.name}: ${message}`);
            const openLink = await createLinks(resolveTarget(entry, sources), { spool, report, redaction });
            const behind = { readers: false, bounds: false, structured: "shrink", clients: () => undefined } as const;
            return new ProxySession(client, { ...session, ...behind, report, openLink, onFatal });
          },
        },
        events,
      ),
    toolOf: ({ name, arguments: args }) =>
      tools === "lazy" && name === CALL_TOOL && isObject(args) ? readCall(args)?.name : undefined,
  };
}
