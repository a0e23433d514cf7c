import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Body, ReplyCall, SeenResult } from "../hosts/model/protocol.ts";
import { PROTOCOLS, readBody } from "../hosts/model/start-model.ts";

/** The calls of one turn, side by side; what the model was sent before may be looked at. */
export type Turn = (seen: readonly SeenResult[]) => readonly ReplyCall[];

export interface ScriptedModel {
  readonly url: string;
  /** The bodies of the requests that a turn or the end answered. */
  readonly requests: readonly string[];
  /** The results in each of them. */
  readonly history: readonly (readonly SeenResult[])[];
  /** The results in the last of them. */
  seen(): readonly SeenResult[];
  close(): void;
}

/** The model looks at the log, then does what the notice says; `named` is how the framework calls a tool. */
export function readThenSearch(named: (tool: string) => string = (tool) => tool): readonly Turn[] {
  return [
    () => [{ tool: named("build_log"), input: {} }],
    (seen) => {
      const id = /spillway_read\(id=\\?"([0-9a-z]{22})/.exec(seen.at(-1)?.text ?? "")?.[1] ?? "no id";
      return [{ tool: named("spillway_read"), input: { id, pattern: "error TS" } }];
    },
  ];
}

/** A model on loopback that makes the calls of each turn, then says "done", in the protocol it is asked in. */
export async function startScript(turns: readonly Turn[]): Promise<ScriptedModel> {
  const requests: string[] = [];
  const history: (readonly SeenResult[])[] = [];
  const made: (readonly ReplyCall[])[] = [];
  let seen: readonly SeenResult[] = [];
  let ids = 0;
  const callsAfter = (count: number): readonly ReplyCall[] | undefined => {
    let before = 0;
    for (let at = 0; at < turns.length; at++) {
      if (before === count) {
        made[at] ??= turns[at]!(seen);
        return made[at];
      }
      before += made[at]?.length ?? 0;
    }
    return undefined;
  };
  const server = createServer(async (request, response) => {
    const raw = await readBody(request);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const protocol = PROTOCOLS.find(({ matches }) => matches(path));
    if (request.method !== "POST" || protocol === undefined) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ input_tokens: 1, totalTokens: 1, data: [], models: [] }));
      return;
    }
    const body = JSON.parse(raw) as Body;
    // Titles and the like are asked for without tools.
    const asked = protocol.offered(body).length > 0;
    if (asked) {
      requests.push(raw);
      seen = protocol.results(body);
      history.push(seen);
    }
    const calls = asked ? callsAfter(seen.length) : undefined;
    const reply = calls === undefined ? { text: "done" } : { calls };
    const { contentType, body: text } = protocol.answer(reply, { body, path, id: String(++ids), inputTokens: 1 });
    response.writeHead(200, { "content-type": contentType, "request-id": `req_${ids}` });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    history,
    seen: () => seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
