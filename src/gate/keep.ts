import type { ArtifactStore } from "../artifacts/types.ts";
import { ChunkEncoder } from "../bytes/chunk-encoder.ts";
import { checkOptions } from "../limits/options.ts";
import { Counter } from "../preview/measure.ts";
import type { Redaction } from "../redact/redaction.ts";
import { SecretNumbers } from "../redact/secret-numbers.ts";
import { ArtifactSink } from "./artifact-sink.ts";
import { DEFAULT_TOOL } from "./call-limits.ts";
import { completionOf, countsOf } from "./capture.ts";
import { cleanerOf, cleanOutcome } from "./clean.ts";
import { keptCommand } from "./command-line.ts";
import { KEEP_CHECKS } from "./option-checks.ts";
import { feed, renderValue, takeOutput } from "./output.ts";
import type { KeepOptions, Kept, Outcome, Output } from "./types.ts";

export interface KeepContext {
  readonly store: ArtifactStore;
  readonly storeTimeoutMs: number;
  readonly redaction: () => Promise<Redaction | undefined>;
}

/** Saves something that is no result but belongs to one. */
export async function keep(given: Output, options: KeepOptions, context: KeepContext): Promise<Kept> {
  const { output, says } = takeOutput(given);
  checkOptions(options, KEEP_CHECKS, "keep()");
  const { tool = DEFAULT_TOOL, callId, commandLine, relatedTo, cutShort, signal } = options;
  const value = typeof output === "object" && "value" in output;
  const extension = options.extension ?? says.extension ?? (value ? "json" : "txt");
  const sink = new ArtifactSink(context.store, context.storeTimeoutMs);
  const redaction = await context.redaction();
  const secrets = new SecretNumbers();
  const clean = cleanerOf(redaction, secrets);
  const command = keptCommand(commandLine && clean(commandLine));
  await sink.open({ tool: clean(tool), callId: callId && clean(callId), command, extension, relatedTo }, []);
  const counter = new Counter();
  const redactor = redaction?.stream(secrets);
  const put = async (parts: readonly Uint8Array[]) => {
    for (const bytes of parts) {
      counter.write(bytes);
      await sink.write(bytes);
    }
  };
  const encoder = new ChunkEncoder();
  const write = (chunk: Uint8Array | string) => {
    const bytes = encoder.encode(chunk);
    return put(redactor?.write(bytes) ?? [bytes]);
  };
  const ended = await feed({ write }, value ? renderValue(output.value) : output, signal);
  await write(encoder.end());
  await put(redactor?.end() ?? []);
  const outcome: Outcome = cutShort === undefined ? ended : { kind: "success", cutShort };
  const storage = await sink.close(completionOf(cleanOutcome(outcome, clean), countsOf(redactor?.counts)));
  return { storage, size: counter.size };
}
