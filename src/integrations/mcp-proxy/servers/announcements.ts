import type { RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { Report } from "../link/link.ts";
import type { MissingServer } from "./gather-lists.ts";
import type { LazyServer } from "./lazy-server.ts";
import type { ListKind } from "./server-lists.ts";

/** Changes within this time are announced once. */
const MERGE_MS = 50;

/** Tells a client of several servers what changed, and what is missing. */
export class Announcements {
  readonly #send: (message: RpcMessage) => void;
  readonly #report: Report;
  readonly #changed = new Set<ListKind>();
  readonly #reported = new Map<LazyServer, string>();
  #merging: NodeJS.Timeout | undefined;

  constructor(send: (message: RpcMessage) => void, report: Report) {
    this.#send = send;
    this.#report = report;
  }

  changed(kinds: readonly ListKind[]): void {
    for (const kind of kinds) this.#changed.add(kind === "resourceTemplates" ? "resources" : kind);
    this.#merging ??= setTimeout(() => {
      this.#merging = undefined;
      for (const kind of this.#changed) this.#send({ jsonrpc: "2.0", method: `notifications/${kind}/list_changed` });
      this.#changed.clear();
    }, MERGE_MS);
  }

  /** Says once what is wrong with a server, to people and to the client. */
  missing(missing: readonly MissingServer[]): void {
    for (const { server, reason } of missing) {
      if (this.#reported.get(server) === reason) continue;
      this.#reported.set(server, reason);
      const text = `the server ${server.name} is not available: ${reason}`;
      this.#report(text);
      const params = { level: "error", logger: "spillway", data: text };
      this.#send({ jsonrpc: "2.0", method: "notifications/message", params });
    }
  }

  close(): void {
    clearTimeout(this.#merging);
  }
}
