import type { ArtifactLocation } from "../artifacts/types.ts";
import { cryptoModule } from "../builtin-modules.ts";
import { parseJson } from "../bytes/json/parse-json.ts";
import type { Strategy } from "../limits/types.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { ArtifactOpener } from "./artifact-sink.ts";

/** The sha256 of a text, in hex. */
export function digestOf(text: string): string {
  return createSha256().update(text).digest("hex");
}

/** Computes the sha256 of chunks. */
export function createDigest(): { add(bytes: Uint8Array): void; end(): string } {
  const hash = createSha256();
  return { add: (bytes) => void hash.update(bytes), end: () => hash.digest("hex") };
}

function createSha256() {
  return cryptoModule().createHash("sha256");
}

/** A store for output that is saved already: it writes nothing and returns the existing artifact. */
export function savedBefore(artifact: ArtifactLocation): ArtifactOpener {
  const { id, name, path } = artifact;
  return {
    writes: false,
    async create() {
      const digest = createDigest();
      let bytes = 0;
      return {
        id,
        name,
        path,
        write(chunk) {
          digest.add(chunk);
          bytes += chunk.length;
          return undefined;
        },
        finish: async () => ({ bytes, sha256: digest.end() }),
        discard: async () => undefined,
      };
    },
  };
}

/** No host could have shown more of one output than a context window holds. */
export const WINDOW_TOKENS = 128_000;

/**
 * Estimated tokens that bounding an output saved: the tokens that the model would have seen of it, minus the tokens of
 * the preview and of later reads. All numbers of saved tokens are computed here.
 */
export function savedTokens(wouldSee: number, shown: number, readBack = 0, windowTokens = WINDOW_TOKENS): number {
  return Math.min(wouldSee, windowTokens) - shown - readBack;
}

/** One truncation, as the log and `stats.jsonl` have it. */
export interface TruncationRecord {
  readonly schema: 1;
  readonly at: string;
  readonly surface: string;
  readonly tool: string;
  readonly callId?: string | undefined;
  readonly strategy: Strategy;
  readonly before: { readonly lines: number; readonly bytes: number; readonly tokens: number };
  readonly after: { readonly lines: number; readonly bytes: number; readonly tokens: number };
  readonly artifact?: string | undefined;
  /** Id of the artifact. */
  readonly id?: string | undefined;
  readonly lost?: string | undefined;
  /** The detected shape of the content, if detection ran. */
  readonly shape?: string | undefined;
  /** How the tool ended. */
  readonly outcome: Outcome["kind"];
  /** How many secrets of each kind were replaced. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
}

/** The record in a line of `stats.jsonl`; undefined for a line that holds another or cannot be read. */
export function parseRecord(line: string): TruncationRecord | undefined {
  if (!line.includes('"before"')) return undefined;
  const value = parseJson(line) as TruncationRecord | undefined;
  const ok = typeof value?.at === "string" && typeof value.tool === "string" && typeof value.before?.bytes === "number";
  return ok && typeof value.after?.bytes === "number" ? value : undefined;
}

export interface ToolCounters {
  readonly calls: number;
  readonly truncated: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** How many secrets of each kind were replaced; absent when none was. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
}

/** Collects truncation records and counters of many machines. */
export interface RecordSink {
  addRecords(root: string, records: readonly object[]): Promise<void>;
}
