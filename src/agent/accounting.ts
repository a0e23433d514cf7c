import { savedTokens, WINDOW_TOKENS } from "../gate/records.ts";
import { kinds } from "../limits/options.ts";
import type { RecordedText, SessionEvent, ToolCallEvent, ToolResultEvent } from "./events.ts";
import { renderStub, tokensOf } from "./transcript.ts";

export interface AccountedTool {
  readonly calls: number;
  readonly truncated: number;
  /** Estimated tokens of the outputs as the tools gave them. */
  readonly tokensBefore: number;
  /** Estimated tokens of recorded and of sent text. */
  readonly tokensAfter: number;
}

/** A session's cost and savings. Tokens of results are estimates; `usage` is the provider's count. */
export interface SessionAccount {
  readonly steps: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens: number };
  readonly tools: Readonly<Record<string, AccountedTool>>;
  /**
   * Tokens that the gate kept out, counted once per result, prompt or answer and at most a window each (no host could have shown more),
   * minus later reads of the artifacts.
   */
  readonly netSavedTokens: number;
  /** Tokens of results that read or searched an artifact of this session. */
  readonly readBackTokens: number;
  /** Tokens that stubs took off, over all requests sent since. */
  readonly stubSavedTokens: number;
  readonly truncatedResults: number;
  /** Truncated results whose artifact was never opened and whose call was not repeated: the preview was enough. */
  readonly previewEnough: number;
  readonly artifactsRead: number;
  readonly callsRepeated: number;
}

/** Sums up a session from its events. `windowTokens` bounds how much of one result a host without a gate could show. */
export function accountSession(events: readonly SessionEvent[], windowTokens = WINDOW_TOKENS): SessionAccount {
  kinds.list(events, "The events for accountSession()");
  const calls = new Map<string, ToolCallEvent>();
  const results = new Map<string, ToolResultEvent>();
  const truncated = new Map<
    string,
    { event: ToolResultEvent; call: ToolCallEvent | undefined; read: boolean; repeated: boolean }
  >();
  const tools = new Map<string, AccountedTool>();
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  let steps = 0;
  let readBackTokens = 0;
  let stubSavedTokens = 0;
  let stubbedTokens = 0;
  let kept = 0;
  const count = ({ before, after }: Pick<RecordedText, "before" | "after">) => {
    if (before && after) kept += savedTokens(before.tokens, after.tokens, 0, windowTokens);
  };
  for (const event of events) {
    if (event.type === "user") count(event);
    if (event.type === "model") {
      count(event);
      steps++;
      usage.inputTokens += event.usage.inputTokens;
      usage.outputTokens += event.usage.outputTokens;
      usage.cachedTokens += event.usage.cachedTokens;
      stubSavedTokens += stubbedTokens;
    } else if (event.type === "tool.call") {
      calls.set(event.callId, event);
      const said = JSON.stringify(event.input) ?? "";
      for (const entry of truncated.values()) {
        const { artifact, tool } = entry.event;
        if (artifact && (said.includes(artifact.path) || said.includes(artifact.id))) entry.read = true;
        else if (entry.call && tool === event.tool && JSON.stringify(entry.call.input) === said) entry.repeated = true;
      }
    } else if (event.type === "tool.result") {
      results.set(event.callId, event);
      const tool = tools.get(event.tool) ?? { calls: 0, truncated: 0, tokensBefore: 0, tokensAfter: 0 };
      const cut = event.artifact !== undefined || "lost" in event.output;
      tools.set(event.tool, {
        calls: tool.calls + 1,
        truncated: tool.truncated + (cut ? 1 : 0),
        tokensBefore: tool.tokensBefore + event.before.tokens,
        tokensAfter: tool.tokensAfter + event.after.tokens,
      });
      const said = JSON.stringify(calls.get(event.callId)?.input) ?? "";
      const source = [...truncated.values()].some(({ event: { artifact } }) => {
        return artifact !== undefined && (said.includes(artifact.path) || said.includes(artifact.id));
      });
      if (source) readBackTokens += event.after.tokens;
      if (!cut) continue;
      count(event);
      truncated.set(event.callId, { event, call: calls.get(event.callId), read: false, repeated: false });
    } else if (event.type === "history.stubbed") {
      for (const { callId, artifact } of event.stubs) {
        const result = results.get(callId);
        if (result) stubbedTokens += Math.max(0, result.after.tokens - tokensOf(renderStub(result, artifact)));
      }
    }
  }
  const all = [...truncated.values()];
  return {
    steps,
    usage,
    tools: Object.fromEntries(tools),
    netSavedTokens: kept - readBackTokens,
    readBackTokens,
    stubSavedTokens,
    truncatedResults: all.length,
    previewEnough: all.filter((entry) => !entry.read && !entry.repeated).length,
    artifactsRead: all.filter((entry) => entry.read).length,
    callsRepeated: all.filter((entry) => entry.repeated).length,
  };
}
