import type { Readable, Writable } from "node:stream";
import { createError, INVALID_REQUEST, PARSE_ERROR } from "../../mcp-shared/json-rpc.ts";
import { BytePeer } from "../link/byte-peer.ts";
import type { Report } from "../link/link.ts";
import type { ProxySession } from "../session/session.ts";
import type { Spool } from "../spool/spool.ts";
import type { ClientPort } from "./client-port.ts";

export interface ServeStdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly spool: Spool;
  readonly report: Report;
  readonly openSession: (client: ClientPort) => ProxySession;
  /** The client is gone. */
  readonly onEnd: () => void;
}

/** Serves one client over a pair of byte streams. */
export function serveStdio(options: ServeStdioOptions): ProxySession {
  const port: ClientPort = {
    send: (frame) => void peer.send(frame).catch(() => {}),
    sendLarge: (message) => peer.sendLarge(message).catch(() => {}),
  };
  const session = options.openSession(port);
  const peer = new BytePeer(options.input, options.output, options.spool, {
    onFrame: (frame) => session.fromClient(frame),
    onLarge: (arrival) => session.fromClientLarge(arrival),
    onGarbage: (line) => {
      options.report(`the client sent a line that is not JSON-RPC: ${JSON.stringify(line)}`);
      const batch = line.trimStart().startsWith("[");
      const error = batch
        ? createError(0, INVALID_REQUEST, "JSON-RPC batches are not part of MCP since 2025-06-18")
        : createError(0, PARSE_ERROR, "Parse error");
      port.send({ message: { ...error, id: null as unknown as number } });
    },
    onEnd: options.onEnd,
  });
  void session.start();
  return session;
}
