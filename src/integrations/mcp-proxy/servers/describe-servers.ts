import { VERSION } from "../../../version.ts";
import { LEGACY_VERSIONS } from "../../mcp-shared/era.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { LazyServer } from "./lazy-server.ts";

/** How several servers introduce themselves as one; with the instructions of those that are named. */
export async function describeServers(requested: unknown, instructing: readonly LazyServer[]): Promise<JsonObject> {
  const instructions = await instructionsOf(instructing);
  return {
    protocolVersion: LEGACY_VERSIONS.includes(String(requested)) ? requested : LEGACY_VERSIONS[0],
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    },
    serverInfo: { name: "spillway", version: VERSION },
    ...(instructions === "" ? {} : { instructions }),
  };
}

async function instructionsOf(servers: readonly LazyServer[]): Promise<string> {
  const said = await Promise.all(
    servers.map(async (server) => {
      const text = (await server.recall())?.instructions?.trim();
      return text ? `${server.name}: ${text}` : "";
    }),
  );
  return said.filter((text) => text !== "").join("\n\n");
}
