import { constants, existsSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { formatCount } from "../preview/omission.ts";
import { roughTokens } from "../preview/tokens/rough-tokens.ts";
import type { Governed, Logger, ToolCounters, TruncationRecord } from "./types.ts";

export const STATS_FILE = ".agents/stats.jsonl";
/** Others keep files in that folder too, so only our own are left out of commits. */
const IGNORED = "/.gitignore\n/stats.jsonl\n";

/** A repository could bring a symbolic link of this name; it is not followed. */
const APPEND_FLAGS = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** A flush of counters, as one line of `stats.jsonl`. */
export interface CountersRecord {
  readonly schema: 1;
  readonly at: string;
  readonly surface: string;
  readonly counters: Readonly<Record<string, ToolCounters>>;
}

const ZERO: ToolCounters = { calls: 0, truncated: 0, bytesBefore: 0, bytesAfter: 0, tokensBefore: 0, tokensAfter: 0 };

/** Counts every result and remembers each truncation until it is flushed. */
export class Ledger {
  readonly #surface: string;
  readonly #logger: Logger | undefined;
  readonly #counters = new Map<string, ToolCounters>();
  #flushed: ReadonlyMap<string, ToolCounters> = new Map();
  #records: TruncationRecord[] = [];

  constructor(surface: string, logger: Logger | undefined) {
    this.#surface = surface;
    this.#logger = logger;
  }

  get counters(): Readonly<Record<string, ToolCounters>> {
    return Object.fromEntries(this.#counters);
  }

  add(result: Governed): void {
    const before = { lines: result.size.lines, bytes: result.size.bytes, tokens: roughTokens(result.size) };
    const after = result.kind === "whole" ? before : sizeAfter(result.preview.text, result.notice);
    const old = this.#counters.get(result.tool) ?? ZERO;
    this.#counters.set(result.tool, {
      calls: old.calls + 1,
      truncated: old.truncated + (result.kind === "bounded" ? 1 : 0),
      bytesBefore: old.bytesBefore + before.bytes,
      bytesAfter: old.bytesAfter + after.bytes,
      tokensBefore: old.tokensBefore + before.tokens,
      tokensAfter: old.tokensAfter + after.tokens,
    });
    if (result.kind === "whole") return;
    const stored =
      "artifact" in result.storage ? { artifact: result.storage.artifact.path } : { lost: result.storage.lost };
    this.#records.push({
      schema: 1,
      at: new Date().toISOString(),
      surface: this.#surface,
      tool: result.tool,
      callId: result.callId,
      strategy: result.strategy,
      before,
      after,
      ...stored,
    });
    const percent = Math.max(0, 100 * (1 - after.bytes / Math.max(1, before.bytes))).toFixed(1);
    this.#logger?.info(
      `${result.tool}: output truncated, ${formatCount(before.bytes)} -> ${formatCount(after.bytes)} bytes (${percent} % less)`,
      {
        tool: result.tool,
        strategy: result.strategy,
        before,
        after,
        ...stored,
      },
    );
  }

  /**
   * Appends what is new since the last flush, where the folder exists or something was saved: an output within limits
   * leaves no trace. A failure is logged: accounting never costs a result.
   */
  async flush(root: string): Promise<void> {
    const counters = this.#sinceFlush();
    if (Object.keys(counters).length === 0 && this.#records.length === 0) return;
    const saved = this.#records.some(({ artifact }) => artifact !== undefined);
    const totals: CountersRecord = { schema: 1, at: new Date().toISOString(), surface: this.#surface, counters };
    const lines = [...this.#records, totals].map((record) => `${JSON.stringify(record)}\n`).join("");
    this.#flushed = new Map(this.#counters);
    this.#records = [];
    const file = path.join(root, STATS_FILE);
    if (!saved && !existsSync(path.dirname(file))) return;
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(path.join(path.dirname(file), ".gitignore"), IGNORED, { mode: 0o600, flag: "wx" }).catch(
        () => {},
      );
      await appendFile(file, lines, { mode: 0o600, flag: APPEND_FLAGS });
    } catch (error) {
      this.#logger?.warn(
        `Statistics could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #sinceFlush(): Record<string, ToolCounters> {
    const fresh = new Map<string, ToolCounters>();
    for (const [tool, now] of this.#counters) {
      const old = this.#flushed.get(tool) ?? ZERO;
      if (now.calls === old.calls) continue;
      const keys = Object.keys(ZERO) as (keyof ToolCounters)[];
      fresh.set(tool, Object.fromEntries(keys.map((key) => [key, now[key] - old[key]])) as unknown as ToolCounters);
    }
    return Object.fromEntries(fresh);
  }
}

function sizeAfter(preview: string, notice: string): TruncationRecord["after"] {
  const text = notice === "" ? preview : `${preview}\n\n${notice}`;
  const lines = text === "" ? 0 : text.split("\n").length;
  const bytes = Buffer.byteLength(text);
  return { lines, bytes, tokens: roughTokens({ chars: text.length, bytes }) };
}
