import { appendFileSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { holdFolder, holdFolderNow } from "../artifacts/hold-folder.ts";
import { writeIgnoreFile } from "../artifacts/write-ignore-file.ts";
import { messageOf } from "../errors.ts";
import { HOST_ARTIFACT_DIR } from "../limits/defaults.ts";
import { roughTokens } from "../preview/measure.ts";
import { formatCount } from "../preview/omission.ts";
import { isObserved } from "../telemetry/telemetry.ts";
import { isWritten, writeAtExit } from "./clean.ts";
import { measureOutput } from "./observe.ts";
import type { RecordSink, ToolCounters, TruncationRecord } from "./records.ts";
import type { Governed, Logger, Shown } from "./types.ts";

export const STATS_FILE = ".agents/stats.jsonl";
/** Folder next to the agents' artifacts, for sandboxes that deny writing to the folder above. */
const HOST_STATS_FILE = path.join(path.dirname(HOST_ARTIFACT_DIR), "stats.jsonl");
/** Where the counts of a root can be. */
export const STATS_FILES = [STATS_FILE, HOST_STATS_FILE];
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

/** Records that wait for a flush; of a program that never asks for one, the oldest are forgotten. */
const MAX_WAITING = 10_000;

/** The surface of the `Truncate` module, which waits as programs' own gates do. */
export const TRUNCATE_SURFACE = "truncate";

const ZERO = {
  calls: 0,
  truncated: 0,
  bytesBefore: 0,
  bytesAfter: 0,
  tokensBefore: 0,
  tokensAfter: 0,
};

export interface LedgerOptions {
  readonly root: string;
  /** Who asks, in records. @default "sdk", whose records wait for `flush` or the end of the process */
  readonly surface: string | undefined;
  readonly logger: Logger | undefined;
  /** Takes records and counters instead of the file. */
  readonly records?: RecordSink | undefined;
}

/** Counts every result and remembers each truncation until it is flushed. */
export class Ledger {
  readonly #surface: string;
  readonly #root: string;
  readonly #logger: Logger | undefined;
  readonly #sink: RecordSink | undefined;
  /** A program's own gate writes only when it is asked to; a surface tells of each result as it happens. */
  readonly #live: boolean;
  #writing: Promise<void> = Promise.resolve();
  readonly #counters = new Map<string, ToolCounters>();
  #flushed: ReadonlyMap<string, ToolCounters> = new Map();
  #records: TruncationRecord[] = [];

  constructor({ root, surface, logger, records }: LedgerOptions) {
    this.#sink = records;
    this.#root = root;
    this.#surface = surface ?? "sdk";
    this.#live = surface !== undefined && surface !== TRUNCATE_SURFACE;
    this.#logger = logger;
  }

  get counters(): Readonly<Record<string, ToolCounters>> {
    return Object.fromEntries(this.#counters);
  }

  add(result: Governed, shown?: Shown): void {
    const before = { lines: result.size.lines, bytes: result.size.bytes, tokens: roughTokens(result.size) };
    const after =
      result.kind === "whole" ? before : sizeAfter(shown?.text ?? result.preview.text, shown?.notice ?? result.notice);
    if (isObserved()) measureOutput(result, after.bytes, this.#surface);
    const old: ToolCounters = this.#counters.get(result.tool) ?? ZERO;
    this.#counters.set(result.tool, {
      calls: old.calls + 1,
      truncated: old.truncated + (result.kind === "bounded" ? 1 : 0),
      bytesBefore: old.bytesBefore + before.bytes,
      bytesAfter: old.bytesAfter + after.bytes,
      tokensBefore: old.tokensBefore + before.tokens,
      tokensAfter: old.tokensAfter + after.tokens,
      ...withRedacted(old.redacted, result.redacted, 1),
    });
    writeAtExit(this);
    if (result.kind === "whole") return;
    const strategy = shown?.strategy ?? result.strategy;
    const { storage } = result;
    const stored =
      "artifact" in storage ? { artifact: storage.artifact.path, id: storage.artifact.id } : { lost: storage.lost };
    const { shape } = result.preview;
    this.#records.push({
      schema: 1,
      at: new Date().toISOString(),
      surface: this.#surface,
      tool: result.tool,
      callId: result.callId,
      strategy,
      before,
      after,
      ...stored,
      ...(shape === undefined ? {} : { shape }),
      outcome: result.outcome.kind,
      ...(result.redacted === undefined ? {} : { redacted: result.redacted }),
    });
    if (this.#records.length > 2 * MAX_WAITING) this.#records = this.#records.slice(-MAX_WAITING);
    if (this.#live && (this.#sink !== undefined || existsSync(path.dirname(this.#file))))
      void this.#write(this.#takeRecords());
    const percent = Math.max(0, 100 * (1 - after.bytes / Math.max(1, before.bytes))).toFixed(1);
    this.#logger?.info(
      `${result.tool}: output truncated, ${formatCount(before.bytes)} -> ${formatCount(after.bytes)} bytes (${percent} % less)`,
      {
        tool: result.tool,
        strategy,
        before,
        after,
        ...("lost" in stored ? stored : { artifact: stored.artifact }),
      },
    );
  }

  /** Counts redactions in something that is not a result. */
  addRedacted(tool: string, redacted: NonNullable<ToolCounters["redacted"]>): void {
    const old: ToolCounters = this.#counters.get(tool) ?? ZERO;
    this.#counters.set(tool, { ...old, ...withRedacted(old.redacted, redacted, 1) });
    writeAtExit(this);
  }

  /**
   * Appends what is new since the last flush, if the folder exists or something was saved: an output within limits
   * leaves no trace. A failure is logged: accounting never costs a result.
   */
  async flush(): Promise<void> {
    const records = this.#takeUnwritten();
    if (records === undefined) return this.#writing;
    await this.#write(records);
  }

  writeNow(): void {
    const records = this.#sink === undefined && existsSync(this.#root) ? this.#takeUnwritten() : undefined;
    if (records === undefined) return;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      holdFolderNow(this.#root, path.dirname(this.#file), (folder) => {
        writeIgnoreFile(folder, IGNORED);
        const descriptor = openSync(path.join(folder, path.basename(this.#file)), APPEND_FLAGS, 0o600);
        appendFileSync(descriptor, linesOf(records));
        closeSync(descriptor);
      });
    } catch (error) {
      this.#logger?.warn(`Statistics could not be written to ${this.#file}: ${messageOf(error)}`);
    }
  }

  /** New counters and records, unless none of them may be written. */
  #takeUnwritten(): readonly (TruncationRecord | CountersRecord)[] | undefined {
    isWritten(this);
    const counters = this.#sinceFlush();
    const records = this.#takeRecords();
    if (Object.keys(counters).length === 0 && records.length === 0) return undefined;
    const saved = records.some(({ artifact }) => artifact !== undefined);
    const totals: CountersRecord = { schema: 1, at: new Date().toISOString(), surface: this.#surface, counters };
    this.#flushed = new Map(this.#counters);
    if (this.#sink === undefined && !saved && !existsSync(path.dirname(this.#file))) return undefined;
    return [...records, totals];
  }

  get #file(): string {
    return path.join(this.#root, STATS_FILE);
  }

  #takeRecords(): readonly TruncationRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Appends lines; those of earlier calls come first. */
  #write(records: readonly (TruncationRecord | CountersRecord)[]): Promise<void> {
    const lines = linesOf(records);
    const sink = this.#sink;
    this.#writing = this.#writing.then(() => (sink === undefined ? this.#append(lines) : this.#send(sink, records)));
    return this.#writing;
  }

  async #send(sink: RecordSink, records: readonly object[]): Promise<void> {
    try {
      await sink.addRecords(this.#root, records);
    } catch (error) {
      this.#logger?.warn(`Statistics could not be sent: ${messageOf(error)}`);
    }
  }

  async #append(lines: string): Promise<void> {
    try {
      await this.#appendTo(this.#file, lines).catch(async (error: unknown) => {
        const beside = path.join(this.#root, HOST_STATS_FILE);
        if (!existsSync(path.join(this.#root, HOST_ARTIFACT_DIR))) throw error;
        await this.#appendTo(beside, lines);
      });
    } catch (error) {
      this.#logger?.warn(`Statistics could not be written to ${this.#file}: ${messageOf(error)}`);
    }
  }

  async #appendTo(file: string, lines: string): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await holdFolder(this.#root, path.dirname(file), async (folder) => {
      // Checked first: a file that git would list is never written.
      writeIgnoreFile(folder, IGNORED);
      await appendFile(path.join(folder, path.basename(file)), lines, { mode: 0o600, flag: APPEND_FLAGS });
    });
  }

  #sinceFlush(): Record<string, ToolCounters> {
    const fresh = new Map<string, ToolCounters>();
    for (const [tool, now] of this.#counters) {
      const old: ToolCounters = this.#flushed.get(tool) ?? ZERO;
      if (now === old) continue;
      const keys = Object.keys(ZERO) as (keyof typeof ZERO)[];
      const counts = Object.fromEntries(keys.map((key) => [key, now[key] - old[key]])) as unknown as ToolCounters;
      fresh.set(tool, { ...counts, ...withRedacted(now.redacted, old.redacted, -1) });
    }
    return Object.fromEntries(fresh);
  }
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** The field for redactions, with the second counts added `times` times; none if nothing remains. */
function withRedacted(
  first: ToolCounters["redacted"],
  second: ToolCounters["redacted"],
  times: number,
): Pick<ToolCounters, "redacted"> {
  const sums = new Map(Object.entries(first ?? {}));
  for (const [kind, count] of Object.entries(second ?? {})) sums.set(kind, (sums.get(kind) ?? 0) + times * count);
  const left = [...sums].filter(([, count]) => count > 0);
  return left.length === 0 ? {} : { redacted: Object.fromEntries(left) };
}

function sizeAfter(preview: string, notice: string): TruncationRecord["after"] {
  const text = notice === "" ? preview : `${preview}\n\n${notice}`;
  const lines = text === "" ? 0 : text.split("\n").length;
  const bytes = Buffer.byteLength(text);
  return { lines, bytes, tokens: roughTokens({ chars: text.length, bytes }) };
}
