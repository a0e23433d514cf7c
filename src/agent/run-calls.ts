import type { ArtifactStore } from "../artifacts/types.ts";
import { isObject } from "../bytes/json/is-object.ts";
import type { GovernedResponse } from "../gate/observation.ts";
import type { PermissionRule } from "../gate/permissions.ts";
import { wrap } from "../gate/render/wrapper.ts";
import type { Logger } from "../gate/types.ts";
import { outcomeOfResponse } from "../gate/verdict.ts";
import { roughTokens } from "../preview/measure.ts";
import { failure } from "../protocol/builder.ts";
import type { ToolErrorCode } from "../protocol/types.ts";
import { PATH_ALIASES, type ToolListing, type ToolRegistry } from "../tools/registry/registry.ts";
import { type HistoryContext, mainText } from "./bound-history.ts";
import { type CappedResult, capResult, jsonBytes } from "./cap-result.ts";
import { pointerTo, type ToolResultEvent } from "./events.ts";
import { type AskMode, type AskPermission, decidePermission } from "./permission-check.ts";
import type { RequestedCall } from "./request-step.ts";
import type { OpenSession as Session } from "./session-store.ts";
import type { Summarizer } from "./summarize.ts";

const owner = (session: Session) => `session:${session.id}`;
const counted = new WeakMap<Session, number>();

/** Pins the artifacts in the history. A store failure costs the pin, not the turn. */
export async function pinArtifacts(session: Session, store: ArtifactStore): Promise<void> {
  const ids = session.events.flatMap((event) => {
    if (event.type === "history.stubbed") return event.stubs.flatMap((stub) => stub.artifact?.id ?? []);
    return "artifact" in event && event.artifact !== undefined ? [event.artifact.id] : [];
  });
  if (ids.length === (counted.get(session) ?? 0)) return;
  counted.set(session, ids.length);
  await store.pin(owner(session), [...new Set(ids)]).catch(() => undefined);
}

/** Gives the artifacts of a finished session free. */
export async function unpinArtifacts(session: Session, store: ArtifactStore): Promise<void> {
  await store.unpin(owner(session)).catch(() => undefined);
}

export interface CallContext extends HistoryContext {
  readonly registry: ToolRegistry;
  readonly rules: readonly PermissionRule[];
  readonly mode: AskMode;
  readonly ask?: AskPermission | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly summarizer?: Summarizer | undefined;
  readonly logger?: Logger | undefined;
}

const PARALLEL = 8;

/**
 * Makes the calls of one step and records each result as soon as it is there. Calls that only read run side by side,
 * the others alone and in order. Never rejects because of a tool or the model.
 */
export async function runCalls(context: CallContext, calls: readonly RequestedCall[]): Promise<void> {
  const readOnly = new Set(
    context.registry
      .list()
      .flatMap((tool) => (tool.readOnly || tool.name === "Task" ? [tool.name, ...tool.aliases] : [])),
  );
  let together: RequestedCall[] = [];
  const runTogether = async () => {
    const queue = together;
    together = [];
    const next = async (): Promise<void> => {
      for (let call = queue.shift(); call !== undefined; call = queue.shift()) await runCall(context, call);
    };
    await Promise.all(Array.from({ length: PARALLEL }, next));
  };
  for (const call of calls) {
    if (readOnly.has(call.tool)) {
      together.push(call);
    } else {
      await runTogether();
      await runCall(context, call);
    }
  }
  await runTogether();
}

async function runCall(context: CallContext, call: RequestedCall): Promise<void> {
  const startedAt = performance.now();
  const result = await boundResult(context, call, await attempt(context, call));
  await context.session.append({ ...result, timeMs: Math.round(performance.now() - startedAt) });
}

async function attempt(context: CallContext, call: RequestedCall): Promise<GovernedResponse> {
  const { registry, signal, query } = context;
  if (signal?.aborted) return refuse(call, "EXECUTION_ERROR", "The turn was aborted before this call began.");
  if (call.problem !== undefined) {
    return refuse(call, "INVALID_PARAM", call.problem, "Call it again with arguments that are one JSON object.");
  }
  const tool = registry.list().find((one) => one.name === call.tool || one.aliases.includes(call.tool));
  const permission = tool === undefined ? "allowed" : await permissionOf(context, call, tool);
  if (permission !== "allowed") {
    const next =
      permission === "unclear"
        ? "Name every command plainly, without variables, substitutions or a shell that reads its commands."
        : "Do without it, or ask the user.";
    return refuse(call, "PERMISSION_DENIED", `This call of ${tool?.name} is not permitted.`, next);
  }
  return registry.call(call.tool, call.input, {
    callId: call.callId,
    signal,
    query: { ...query, command: JSON.stringify(call.input) },
  });
}

/** `unclear` if it cannot be told what the call runs, and nobody could be asked. */
async function permissionOf(
  context: CallContext,
  call: RequestedCall,
  listing: ToolListing,
): Promise<"allowed" | "refused" | "unclear"> {
  const { rules, mode, ask, gate, session } = context;
  const { name: tool } = listing;
  const taken = takenOf(call.input, listing);
  const { action, pattern, mayBeDenied = false } = await decidePermission(tool, taken, rules, gate.root);
  let allowed = action === "allow";
  let by: "rule" | "yes" | "user" = "rule";
  if (action === "ask") {
    by = mode === "ask" ? "user" : mode === "yes" && !mayBeDenied ? "yes" : "rule";
    allowed = by === "yes" || (mode === "ask" && (await askInTurn(ask, { tool, pattern, input: call.input })));
  }
  if (!allowed || by === "user") {
    await session.append({
      type: "permission",
      callId: call.callId,
      tool,
      pattern,
      action: allowed ? "allow" : "deny",
      by,
    });
  }
  return allowed ? "allowed" : mayBeDenied && by === "rule" ? "unclear" : "refused";
}

/** The parameters that a tool accepts: rules must not be matched against made-up ones. */
function takenOf(input: unknown, { parameters }: ToolListing): unknown {
  const { properties, additionalProperties = false } = parameters;
  if (!isObject(input) || !isObject(properties) || additionalProperties !== false) return input;
  const taken = [...Object.keys(properties), ...("path" in properties ? PATH_ALIASES : [])];
  return Object.fromEntries(Object.entries(input).filter(([key]) => taken.includes(key)));
}

let asking: Promise<unknown> = Promise.resolve();

/** One question at a time, however many calls wait. */
function askInTurn(ask: AskPermission | undefined, request: Parameters<AskPermission>[0]): Promise<boolean> {
  const answer = asking.then(() => ask?.(request) ?? false).catch(() => false);
  asking = answer;
  return answer;
}

/** The recorded and sent form: the envelope without its context, or the wrapper if it was over a limit. */
async function boundResult(
  context: CallContext,
  call: RequestedCall,
  { response, governed }: GovernedResponse,
): Promise<Omit<ToolResultEvent, "timeMs">> {
  const { gate, maxResultBytes, summarizer, logger } = context;
  const { callId } = call;
  const { context: _, ...whole } = response;
  let output: Readonly<Record<string, unknown>> = whole;
  let bounded = governed?.kind === "bounded" ? governed : undefined;
  const passedGate = bounded !== undefined;
  let source: Pick<CappedResult, "text" | "original"> = {};
  if (!passedGate && jsonBytes(whole) > maxResultBytes) ({ bounded, ...source } = await save(context, call, whole));
  if (bounded !== undefined) {
    const summary = await summarizer?.(bounded, context.signal);
    const { tool, preview, hint } = bounded;
    if (passedGate) output = wrap({ tool, callId, preview: preview.text, hint, summary, envelope: whole });
    const before = jsonBytes(output);
    if (before > maxResultBytes) {
      output = await capResult(context, { bounded, envelope: whole, summary, ...source }, maxResultBytes);
      const message = `${tool}: result cut to the agent's cap, ${before} -> ${jsonBytes(output)} bytes`;
      logger?.warn(message, { tool, callId, maxResultBytes });
    }
    if (!passedGate) gate.record(bounded, { text: String(output.preview), strategy: bounded.strategy, notice: "" });
  }
  const json = JSON.stringify(output);
  const bytes = Buffer.byteLength(json);
  const after = { bytes, tokens: roughTokens({ chars: json.length, bytes }) };
  const before = bounded === undefined ? after : { bytes: bounded.size.bytes, tokens: roughTokens(bounded.size) };
  const { status } = response;
  const artifact = bounded && pointerTo(bounded.storage);
  return { type: "tool.result", callId, tool: call.tool, status, output, artifact, before, after };
}

/** Puts a result away that the gate let pass and that is over the cap. */
async function save(
  { gate, query, reader }: CallContext,
  { tool, callId }: RequestedCall,
  whole: Readonly<Record<string, unknown>>,
): Promise<Pick<CappedResult, "bounded" | "text" | "original">> {
  const outcome = outcomeOfResponse(whole);
  const text = mainText(whole);
  const shown = text ?? JSON.stringify(whole, null, 2);
  // Nothing is shown of this preview: the cap makes its own.
  const none = { maxLines: 1, maxBytes: 1, counted: false, extension: text === undefined ? "json" : "txt" };
  const bounded = await gate.govern(shown, { tool, callId, query, outcome, ...reader, ...none });
  if (bounded.kind === "whole") throw new RangeError("a result over the cap is over one byte");
  if (text === undefined || !("artifact" in bounded.storage)) return { bounded, text: shown };
  const { storage: original } = await gate.keep(
    { value: whole },
    { tool, callId, relatedTo: bounded.storage.artifact.id },
  );
  return { bounded, text: shown, ...("artifact" in original && { original }) };
}

function refuse(call: RequestedCall, code: ToolErrorCode, message: string, next?: string): GovernedResponse {
  const response = failure(code, `${call.tool}: ${message}`, {
    next,
    stats: { time_ms: 0 },
    context: { cwd: ".", params_input: null },
  });
  return { response };
}
