import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { LazyServer } from "./lazy-server.ts";
import type { ListKind } from "./server-lists.ts";

/** A server that is not in an answer, and why. */
export interface MissingServer {
  readonly server: LazyServer;
  readonly reason: string;
}

export interface GatheredLists {
  readonly lists: readonly { readonly server: LazyServer; readonly entries: readonly JsonObject[] }[];
  readonly missing: readonly MissingServer[];
}

export interface GatherOptions {
  /** Asks servers that run, instead of saying what they said before. */
  readonly live: boolean;
  /** How long servers that are slow to start are waited for. */
  readonly waitMs: number;
  /** A server that was not waited for has answered. */
  readonly onLate?: (server: LazyServer) => void;
}

/** One list of several servers, in their order; a server that fails or takes too long costs only its own part. */
export async function gatherLists(
  servers: readonly LazyServer[],
  kind: ListKind,
  { live, waitMs, onLate }: GatherOptions,
): Promise<GatheredLists> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), waitMs);
  });
  const answers = await Promise.all(
    servers.map(async (server) => {
      try {
        const listing = server.list(kind, live);
        const entries = await Promise.race([listing, late]);
        if (entries !== "late") return { server, entries };
        void listing.then(
          () => onLate?.(server),
          () => {},
        );
        return { server, reason: "it is still starting" };
      } catch (error) {
        return { server, reason: (error as Error).message };
      }
    }),
  );
  clearTimeout(timer);
  return {
    lists: answers.filter((answer) => answer.entries !== undefined),
    missing: answers.filter((answer) => answer.reason !== undefined),
  };
}
