import { EventEmitter } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { STATS_FILES } from "../gate/ledger.ts";
import { parseRecord, type TruncationRecord } from "../gate/records.ts";

const LOOK_AGAIN_MS = 1000;
const READ_BYTES = 4 * 1024 * 1024;

/** A file that grows, and how far it was read. */
interface Tail {
  readonly file: string;
  read: number;
  /** The beginning of an incomplete line. */
  rest: string;
  records: TruncationRecord[];
}

/** The truncation records of a root, read once and then as they are appended. Emits `record` for each new one. */
export class RecordLog extends EventEmitter<{ record: [TruncationRecord] }> {
  readonly #tails: readonly Tail[];
  #reading: Promise<void> | undefined;
  #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(root: string) {
    super();
    this.setMaxListeners(0);
    this.#tails = STATS_FILES.map((file) => ({ file: path.join(root, file), read: 0, rest: "", records: [] }));
  }

  /** All records; those of one file are in order. */
  get records(): readonly TruncationRecord[] {
    return this.#tails.flatMap(({ records }) => records);
  }

  /** Reads the existing records and watches for new ones until closed. */
  async follow(): Promise<void> {
    await this.refresh();
    for (const { file } of this.#tails) {
      try {
        const watcher = watch(path.dirname(file), () => void this.refresh());
        watcher.on("error", () => watcher.close());
        this.#watchers.push(watcher);
      } catch {
        // The folder is created with the first record; until then, and without change events, it is polled.
      }
    }
    this.#timer = setInterval(() => void this.refresh(), LOOK_AGAIN_MS);
  }

  /** Reads new records. */
  refresh(): Promise<void> {
    this.#reading ??= Promise.all(this.#tails.map((tail) => this.#readOn(tail)))
      .then(() => undefined)
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    clearInterval(this.#timer);
  }

  async #readOn(tail: Tail): Promise<void> {
    const handle = await open(tail.file, "r").catch(() => undefined);
    if (handle === undefined) return;
    try {
      const { size } = await handle.stat();
      if (size < tail.read) Object.assign(tail, { read: 0, rest: "", records: [] });
      const buffer = Buffer.alloc(Math.min(READ_BYTES, Math.max(1, size - tail.read)));
      while (tail.read < size) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, tail.read);
        if (bytesRead === 0) break;
        tail.read += bytesRead;
        this.#take(tail, buffer.toString("latin1", 0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  }

  /** Lines are cut as bytes, since a read may end within a character. */
  #take(tail: Tail, text: string): void {
    const lines = (tail.rest + text).split("\n");
    tail.rest = lines.pop() ?? "";
    for (const line of lines) {
      const record = parseRecord(Buffer.from(line, "latin1").toString("utf8"));
      if (record === undefined) continue;
      tail.records.push(record);
      this.emit("record", record);
    }
  }
}
