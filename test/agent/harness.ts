import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Agent, AgentOptions } from "../../src/agent/agent.ts";
import { createAgent } from "../../src/agent/create-agent.ts";
import { MAX_EVENT_BYTES, type SessionEvent } from "../../src/agent/events.ts";
import { type LoadedModel, loadModel } from "../../src/agent/model.ts";
import { readSession, SESSIONS_DIR } from "../../src/agent/session.ts";
import { type ModelServer, type Script, type ScriptedReply, startModelServer } from "../support/model-server.ts";

const ENV = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };

export interface Harness {
  readonly root: string;
  readonly server: ModelServer;
  /** A second agent on the same server and workspace. */
  agent(options?: Partial<AgentOptions>): Agent;
  readonly model: LoadedModel;
  events(session: string): SessionEvent[];
  /** Texts of the results in the newest request. */
  lastResults(): string[];
}

/** A workspace and a scripted model for each test. */
export function useAgents(): (script: Script | readonly ScriptedReply[], wire?: string) => Promise<Harness> {
  let root: string;
  const servers: ModelServer[] = [];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "spillway-agent-"));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    rmSync(root, { recursive: true, force: true });
  });
  return async (script, wire = "openai") => {
    const server = await startModelServer(script);
    servers.push(server);
    const model = await loadModel(`${wire}/scripted`, { baseURL: server.url, env: ENV });
    return {
      root,
      server,
      model,
      agent: (options = {}) => createAgent({ model, root, yes: true, retryDelayMs: 1, ...options }),
      events: (session) => readSession(root, session),
      lastResults: () => server.requests.at(-1)?.toolResults.map((result) => result.text) ?? [],
    };
  };
}

/** Length of the longest line in a session's file, newline included. */
export function longestLine(root: string, session: string): number {
  const lines = readFileSync(join(root, SESSIONS_DIR, session, "events.jsonl"), "utf8").split("\n");
  return Math.max(...lines.map((line) => Buffer.byteLength(line) + 1));
}

export { MAX_EVENT_BYTES };
