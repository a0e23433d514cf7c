import type { Reader } from "../gate/reader.ts";
import { wrap } from "../gate/render/wrapper.ts";
import type { Spillway } from "../gate/types.ts";
import { outcomeOfResponse } from "../gate/verdict.ts";
import { roughTokens } from "../preview/measure.ts";
import { estimateTokens } from "../preview/tokens/estimate-tokens.ts";
import type { Preview } from "../preview/types.ts";
import type { QueryContext } from "../query/query-context.ts";
import { planHistory, shareFairly } from "./budget.ts";
import { hintOf, jsonBytes, MAX_REREAD_BYTES } from "./cap-result.ts";
import { type ArtifactPointer, pointerTo, type ResultShrunk } from "./events.ts";
import { previewArtifact } from "./preview-artifact.ts";
import type { OpenSession } from "./session-store.ts";
import { buildTranscript, renderStub, type SentResult, tokensOf } from "./transcript.ts";

type Output = Readonly<Record<string, unknown>>;

export interface HistoryContext {
  readonly session: OpenSession;
  readonly gate: Spillway;
  /** The model's tools, for hints. */
  readonly reader: Reader;
  readonly query: QueryContext;
  /** Most bytes of any result as JSON, whatever the gate or the tool did about it. */
  readonly maxResultBytes: number;
}

/** A share too small for a wrapper with a useful preview becomes a stub. */
const MIN_WRAPPER_TOKENS = 400;
/** Room for numbers in the hint that are known only with the preview. */
const SPARE_TOKENS = 30;
const SPARE_BYTES = 100;
/** Stubs in one event, so that its line stays short. */
const STUBS_PER_EVENT = 400;

/** Makes the results of the newest step share the turn's budget: small ones stay whole, large ones shrink. */
export async function shrinkTurn(context: HistoryContext, maxTurnTokens: number): Promise<void> {
  const { session } = context;
  const entries = buildTranscript(session.events, session.path);
  const results = entries.findLast((entry) => entry.results.length > 0)?.results ?? [];
  const sizes = results.map((result) => result.tokens);
  const shares = shareFairly(sizes, maxTurnTokens);
  const stubs: SentResult[] = [];
  for (const [index, result] of results.entries()) {
    const share = shares[index] ?? 0;
    if (result.stubbed || result.tokens <= share + (result.shrunk ? SPARE_TOKENS : 0)) continue;
    const output = share < MIN_WRAPPER_TOKENS ? undefined : await shrinkResult(context, result, share);
    if (output === undefined) stubs.push(result);
    else await session.append({ type: "result.shrunk", callId: result.callId, ...output });
  }
  await recordStubs(context, stubs);
}

/** Makes the next request fit: stubs old results in batches and, when that is not enough, leaves out old messages. */
export async function shrinkHistory(
  context: HistoryContext,
  fixedTokens: number,
  maxInputTokens: number,
): Promise<void> {
  const { session } = context;
  const plan = planHistory(buildTranscript(session.events, session.path), fixedTokens, maxInputTokens);
  if (plan === undefined) return;
  await recordStubs(context, plan.stub);
  if (plan.dropThroughSeq !== undefined)
    await session.append({ type: "history.dropped", throughSeq: plan.dropThroughSeq });
}

async function recordStubs(context: HistoryContext, results: readonly SentResult[]): Promise<void> {
  for (let start = 0; start < results.length; start += STUBS_PER_EVENT) {
    const batch = results.slice(start, start + STUBS_PER_EVENT);
    const stubs = await Promise.all(
      batch.map(async (result) => ({ callId: result.callId, artifact: await ensureArtifact(context, result) })),
    );
    const pairs = batch.map(
      (result, index) => [result, tokensOf(renderStub(result.event, stubs[index]?.artifact))] as const,
    );
    await context.session.append({
      type: "history.stubbed",
      stubs,
      tokensBefore: pairs.reduce((sum, [result]) => sum + result.tokens, 0),
      tokensAfter: pairs.reduce((sum, [, tokens]) => sum + tokens, 0),
    });
  }
}

/** Where the whole result is; a result that was small enough to be sent whole is saved now. */
async function ensureArtifact(context: HistoryContext, result: SentResult): Promise<ArtifactPointer | undefined> {
  const { callId, tool, output } = result.event;
  if (result.artifact !== undefined || "lost" in output) return result.artifact;
  const text = mainText(output);
  const { storage } = await context.gate.keep(text ?? { value: output }, { tool, callId });
  // Without an artifact the stub names none; the result itself stays in the session's file.
  return pointerTo(storage);
}

/** The one string that makes up most of an envelope, which pages and searches better than the JSON around it. */
export function mainText(output: Output): string | undefined {
  let longest = "";
  const open: unknown[] = [output];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string" && value.length > longest.length) longest = value;
    else if (typeof value === "object" && value !== null)
      open.push(...Object.values(value).filter((one) => one !== undefined));
  }
  return longest.length > JSON.stringify(output).length / 2 ? longest : undefined;
}

/** The result as a wrapper of at most this many tokens; undefined if only a stub is possible. */
async function shrinkResult(
  context: HistoryContext,
  result: SentResult,
  maxTokens: number,
): Promise<Omit<ResultShrunk, "type" | "callId"> | undefined> {
  const artifact = await ensureArtifact(context, result);
  if (artifact === undefined) return undefined;
  // A store that is down now costs the longer preview, not the turn.
  const manifest = (await context.gate.store.find(artifact.id).catch(() => undefined))?.manifest;
  if (manifest === undefined || manifest.bytes > MAX_REREAD_BYTES) return undefined;
  const { tool, output: sent } = result.event;
  const render = (preview: Preview): Output => {
    const storage = { artifact: { ...artifact, name: manifest.name } };
    const hint = hintOf(context, { outcome: outcomeOfResponse(sent), storage }, preview);
    return wrap({ tool, callId: result.callId, preview: preview.text, hint, envelope: result.output });
  };
  const { bytes, lines } = manifest;
  const size = { bytes, lines, chars: bytes };
  const around = render({
    text: "",
    truncated: true,
    strategy: "smart",
    source: size,
    kept: size,
    omissions: [],
    blocks: [],
  });
  const room = Math.max(0, maxTokens - tokensOf(around) - SPARE_TOKENS);
  const roomBytes = Math.max(1, context.maxResultBytes - jsonBytes(around) - SPARE_BYTES);
  const preview = await previewArtifact(context.gate.store, artifact.id, {
    maxTokens: room,
    query: context.query,
    // As they appear inside JSON; the cap counts bytes.
    countTokens: (text) =>
      Math.max(estimateTokens(JSON.stringify(text)), Math.ceil((jsonBytes(text) * room) / roomBytes)),
  }).catch(() => undefined);
  if (preview === undefined) return undefined;
  const output = render(preview);
  const json = JSON.stringify(output);
  const after = Buffer.byteLength(json);
  return { output, artifact, after: { bytes: after, tokens: roughTokens({ chars: json.length, bytes: after }) } };
}
