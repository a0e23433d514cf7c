import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { LazyServer } from "./lazy-server.ts";
import { type GatherOptions, gatherLists, type MissingServer } from "./list-cache.ts";
import { isAllowed } from "./read-servers.ts";

/** Separates a server's name from that of its tool or prompt. */
const JOINT = "__";

/** A tool of one of the servers, defined as the client sees it. */
export interface ShelvedTool {
  readonly name: string;
  readonly server: LazyServer;
  readonly definition: JsonObject;
}

/** The tools of all servers, under names with the server's name as prefix. */
export class ToolShelf {
  readonly servers: readonly LazyServer[];

  constructor(servers: readonly LazyServer[]) {
    this.servers = servers;
  }

  async all(
    options: GatherOptions,
    servers = this.servers,
  ): Promise<{ readonly tools: readonly ShelvedTool[]; readonly missing: readonly MissingServer[] }> {
    const { lists, missing } = await gatherLists(servers, "tools", options);
    const tools = lists.flatMap(({ server, entries }) =>
      entries
        .filter(({ name }) => isAllowed(server.entry, String(name)))
        .map((definition) => {
          // Tasks are not offered here, so that no client may ask for one.
          const { execution: _, ...rest } = definition;
          const name = joinName(server, String(definition.name));
          return { name, server, definition: { ...rest, name } };
        }),
    );
    return { tools, missing };
  }

  /** The server of a tool or prompt, and its name there. */
  find(name: string): { readonly server: LazyServer; readonly name: string } | undefined {
    const at = name.indexOf(JOINT);
    const server = at < 0 ? undefined : this.servers.find((each) => each.name === name.slice(0, at));
    return server && { server, name: name.slice(at + JOINT.length) };
  }
}

/** The name that a client knows a server's tool or prompt by. */
export function joinName(server: LazyServer, name: string): string {
  return `${server.name}${JOINT}${name}`;
}
