import { afterEach, describe, expect, test } from "vitest";
import { addEnvelope, MODERN_VERSION } from "../../../src/integrations/mcp-shared/era.ts";
import { HOSTILE, proxyArgs, RawPeer, temporaryRoot } from "../../support/mcp-peers.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field.
type Json = any;

const peers: RawPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

/** A client of 2026-07-28 in front of a server of the handshake eras, that decides itself when it goes on with a call. */
class ModernPeer {
  readonly #peer: RawPeer;

  constructor(peer: RawPeer) {
    this.#peer = peer;
  }

  request(method: string, params: Json = {}): Promise<Json> {
    const clientInfo = { name: "raw", version: "1" };
    return this.#peer.request(
      method,
      addEnvelope(params, { version: MODERN_VERSION, capabilities: { roots: {} }, clientInfo }),
    );
  }

  askBeside(args: Json, going: Json = {}): Promise<Json> {
    return this.request("tools/call", { name: "ask_beside", arguments: args, ...going });
  }

  /** Goes on with a call whose answer was `asked`. */
  goOn(args: Json, asked: Json): Promise<Json> {
    const { inputRequests, requestState } = asked.result;
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, { roots: [] }]));
    return this.askBeside(args, { requestState, inputResponses });
  }

  /** Whatever the server sent until now has passed the proxy after this. */
  async catchUp(): Promise<void> {
    await this.request("tools/list");
  }
}

async function open(): Promise<ModernPeer> {
  const peer = new RawPeer(await proxyArgs(temporaryRoot(), [HOSTILE]));
  peers.push(peer);
  return new ModernPeer(peer);
}

describe("a question that a call was put off for", () => {
  test("the call is answered before the client goes on with it", async () => {
    const peer = await open();
    const asked = await peer.askBeside({});
    expect(asked.result.resultType).toBe("input_required");
    await peer.catchUp();
    const answer = await peer.goOn({}, asked);
    expect(answer.result.content).toEqual([{ type: "text", text: "answered" }]);
  });

  test("so does a large answer, bounded", async () => {
    const peer = await open();
    const args = { bytes: 3_000_000 };
    const asked = await peer.askBeside(args);
    // The answers of both go through the same thread, one after the other.
    await peer.request("tools/call", { name: "huge", arguments: args });
    const answer = await peer.goOn(args, asked);
    expect(answer.result._meta["spillway/truncation"].original_bytes).toBe(3_000_000);
  });

  test("a second question waits its turn, and the answer waits for both", async () => {
    const peer = await open();
    const args = { count: 2, after: 1 };
    const first = await peer.askBeside(args);
    expect(Object.keys(first.result.inputRequests)).toEqual(["question-1"]);
    await peer.catchUp();
    const second = await peer.goOn(args, first);
    expect(Object.keys(second.result.inputRequests)).toEqual(["question-2"]);
    await peer.catchUp();
    const answer = await peer.goOn(args, second);
    expect(answer.result.content[0].text).toBe("answered");
  });

  test("the server dies before the client goes on: the call fails then, and the next one works", async () => {
    const peer = await open();
    const asked = await peer.askBeside({ die: true });
    await peer.catchUp();
    const failed = await peer.goOn({ die: true }, asked);
    expect(failed.result.isError).toBe(true);
    expect(failed.result.content[0].text).toContain("ended with exit code 3");
    const again = await peer.goOn({}, await peer.askBeside({}));
    expect(again.result.content[0].text).toBe("answered");
  });
});

test("a question too large for memory is put in the client's words too", async () => {
  const peer = await open();
  const params = { systemPrompt: "long ".repeat(200_000), messages: [], maxTokens: 1 };
  const call = { name: "ask", arguments: { method: "sampling/createMessage", params } };
  const asked = await peer.request("tools/call", call);
  expect(asked.result.inputRequests["question-1"]).toEqual({ method: "sampling/createMessage", params });
  const inputResponses = { "question-1": { role: "assistant" } };
  const answer = await peer.request("tools/call", {
    ...call,
    requestState: asked.result.requestState,
    inputResponses,
  });
  expect(answer.result.content[0].text).toBe('{"role":"assistant"}');
});
