import { lstat, unlink, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { processExists } from "../process-exists.ts";
import { ignoreMissing } from "../store-failure.ts";
import type { CreateArtifact } from "../types.ts";
import { readSmall, type StoreFolder, writeNew } from "./store-folder.ts";

const BEAT_MS = 30_000;
const FRESH_MS = 4 * BEAT_MS;
const TRUST_PID_MS = 24 * 60 * 60 * 1000;

/** Says that an artifact is being written, and by whom; its time of change is the writer's heartbeat. */
export interface WritingMark {
  readonly name: string;
  readonly request: CreateArtifact;
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly beatAt: number;
}

/** Puts the mark down and keeps its heartbeat going until `lift` is called; never keeps the process alive. */
export async function placeWritingMark(
  folder: StoreFolder,
  id: string,
  name: string,
  request: CreateArtifact,
): Promise<{ lift(): Promise<void> }> {
  const path = markPath(folder, id);
  await writeNew(path, JSON.stringify({ schema: 1, name, request, pid: process.pid, host: hostname() }));
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, BEAT_MS).unref();
  return {
    async lift() {
      clearInterval(beat);
      await ignoreMissing(unlink(path));
    },
  };
}

/** The mark of an artifact, also one that a writer left behind when it died. */
export async function readWritingMark(folder: StoreFolder, id: string): Promise<WritingMark | undefined> {
  const path = markPath(folder, id);
  const text = await readSmall(path);
  const stats = text && (await ignoreMissing(lstat(path)));
  if (text === undefined || stats === undefined) return undefined;
  try {
    const value = JSON.parse(text.toString("utf8")) as Partial<WritingMark>;
    return {
      name: String(value.name ?? ""),
      request: value.request ?? { tool: "tool" },
      pid: Number(value.pid ?? 0),
      host: String(value.host ?? ""),
      beatAt: stats.mtimeMs,
    };
  } catch {
    return { name: "", request: { tool: "tool" }, pid: 0, host: "", beatAt: stats.mtimeMs };
  }
}

/** True while the writer may still be at work; in doubt true, so that cleanup spares it. */
export function mayBeWriting(mark: WritingMark): boolean {
  const age = Date.now() - mark.beatAt;
  return age < FRESH_MS || (age < TRUST_PID_MS && writerAlive(mark));
}

/** True when the writer's process exists on this machine. */
export function writerAlive(mark: WritingMark): boolean {
  return mark.host === hostname() && mark.pid > 0 && processExists(mark.pid);
}

function markPath(folder: StoreFolder, id: string): string {
  return folder.metaPath(`${id}.writing`);
}
