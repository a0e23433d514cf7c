import { isObject } from "../../../bytes/json/is-object.ts";
import type { Redaction } from "../../../redact/redaction.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import { CALL_TOOL, readCall } from "../lazy-tools/lazy-tools.ts";
import { createLinks } from "../link/create-links.ts";
import type { OpenLink } from "../link/link.ts";
import { ProxySession, type SessionOptions } from "../session/session.ts";
import type { Spool } from "../spool/spool.ts";
import type { VariableSources } from "./expand-variables.ts";
import { ListCache } from "./list-cache.ts";
import { resolveTarget } from "./resolve-target.ts";
import { parseServers } from "./server-entry.ts";
import { ServersLink } from "./servers-link.ts";

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
