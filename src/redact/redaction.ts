import { Detector } from "./detector.ts";
import { environmentSecrets } from "./environment-secrets.ts";
import { PatternFinder } from "./pattern-finder.ts";
import { SecretNumbers } from "./secret-numbers.ts";
import type { RedactSettings } from "./settings.ts";
import { StreamRedactor } from "./stream-redactor.ts";

/** A text without its secrets, and how many of each kind there were. */
export interface RedactedText {
  readonly text: string;
  readonly counts: ReadonlyMap<string, number>;
}

const encoder = new TextEncoder();
const STEP_BYTES = 16_384;
/** An answer takes several turns of the event loop, so that each must be a small part of the 100 ms that others may wait. */
const TURN_MS = 8;

/** Takes all steps at once. */
export function finish<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same, without keeping the process from anything else for long. */
export async function finishInTurns<T>(steps: Generator<void, T>): Promise<T> {
  let since = performance.now();
  let step = steps.next();
  while (!step.done) {
    if (performance.now() - since > TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
    step = steps.next();
  }
  return step.value;
}

/** Takes secrets out of outputs; whoever shares one `SecretNumbers` has the same numbers for the same secrets. */
export class Redaction {
  readonly #detector: Detector;
  readonly #patterns: PatternFinder | undefined;
  readonly #isAllowed: ((secret: string) => boolean) | undefined;

  /** `environment` holds the variables whose values are replaced when they look secret. */
  constructor(
    { patterns = [], allow = [], environment: takesEnvironment = true }: Partial<RedactSettings> = {},
    environment: Readonly<Record<string, string | undefined>> = {},
  ) {
    this.#detector = new Detector(takesEnvironment ? environmentSecrets(environment) : new Map());
    this.#patterns = patterns.length === 0 ? undefined : new PatternFinder(patterns);
    this.#isAllowed =
      allow.length === 0
        ? undefined
        : (secret) => allow.some((one) => (typeof one === "string" ? one === secret : one.test(secret)));
  }

  /** For an output that comes in chunks. */
  stream(numbers: SecretNumbers = new SecretNumbers()): StreamRedactor {
    return new StreamRedactor({
      detector: this.#detector,
      numbers,
      patterns: this.#patterns,
      isAllowed: this.#isAllowed,
    });
  }

  /** For one that is there whole. */
  text(text: string, numbers?: SecretNumbers): RedactedText {
    return finish(this.steps(text, numbers, Infinity));
  }

  /** The same, while others have their turn. */
  textInTurns(text: string, numbers?: SecretNumbers): Promise<RedactedText> {
    return finishInTurns(this.steps(text, numbers));
  }

  /** The same in steps, between which others may have their turn. */
  *steps(text: string, numbers?: SecretNumbers, stepBytes: number = STEP_BYTES): Generator<void, RedactedText> {
    const stream = this.stream(numbers);
    const bytes = encoder.encode(text);
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += stepBytes) {
      for (const part of stream.write(bytes.subarray(at, at + stepBytes))) parts.push(part);
      yield;
    }
    for (const part of stream.end()) parts.push(part);
    if (stream.counts.size === 0) return { text, counts: stream.counts };
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return { text: parts.map((part) => decoder.decode(part, { stream: true })).join(""), counts: stream.counts };
  }
}
