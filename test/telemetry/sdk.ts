import { type OtlpReceiver, startOtlpReceiver } from "../support/otlp-receiver.ts";

export interface RegisteredSdk extends OtlpReceiver {
  /** Sends what the SDK still holds. */
  flush(): Promise<unknown>;
}

/** Registers a real SDK in this process, with a receiver behind it. */
export async function registerSdk(): Promise<RegisteredSdk> {
  const receiver = await startOtlpReceiver();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
  const register: string = "../support/otel-register.mjs";
  const { flushTelemetry } = (await import(register)) as { readonly flushTelemetry: () => Promise<unknown> };
  return { ...receiver, flush: flushTelemetry };
}
