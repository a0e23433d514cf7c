import { constants } from "node:fs";
import { lstat, open, rename, unlink, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { SpillwayError } from "../../errors.ts";
import { processExists } from "../hold-folder.ts";
import { errorCode, ignoreMissing, plainReason } from "../store-failure.ts";
import type { CreateArtifact } from "../types.ts";
import { readSmall, type StoreFolder, writeNew } from "./store-folder.ts";

const BEAT_MS = 30_000;
const FRESH_MS = 4 * BEAT_MS;
const TRUST_PID_MS = 24 * 60 * 60 * 1000;
/** Room for the manifest, which takes the mark's place: so it is there on a disk that has become full since. */
const MARK_BYTES = 4096;

/** Says that an artifact is being written, and by whom; its time of change is the writer's heartbeat. */
export interface WritingMark {
  readonly name: string;
  readonly request: CreateArtifact;
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly beatAt: number;
  /** True when the artifact was finished and only its manifest could not be written. */
  readonly unrecorded: boolean;
}

/** A mark that this process put down. */
export interface PlacedMark {
  /** Turns the mark into the manifest; when that fails, into a sign that only the manifest is missing. */
  become(manifest: string): Promise<void>;
  /** Leaves a sign that the manifest is missing. */
  giveUp(): Promise<void>;
  lift(): Promise<void>;
}

/** Puts the mark down and keeps its heartbeat going until it is lifted; never keeps the process alive. */
export async function placeWritingMark(
  folder: StoreFolder,
  id: string,
  name: string,
  request: CreateArtifact,
): Promise<PlacedMark> {
  const path = markPath(folder, id, "writing");
  const text = JSON.stringify({ schema: 1, name, request, pid: process.pid, host: hostname() });
  await folder.inMeta((meta) => writeNew(join(meta, `${id}.writing`), text.padEnd(MARK_BYTES)));
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, BEAT_MS).unref();
  return {
    async become(manifest) {
      clearInterval(beat);
      try {
        await folder
          .inMeta((meta) => replaceMark(meta, id, manifest))
          .catch(async (error: unknown) => {
            if (errorCode(error) !== "ENOENT") throw error;
            await folder.recreate();
            await folder.inMeta((meta) => writeNew(join(meta, `${id}.json`), manifest));
          });
      } catch (error) {
        const reason = error instanceof SpillwayError ? error.message : plainReason(error);
        throw new SpillwayError("STORE_FAILED", `cannot write the artifact's manifest: ${reason}`, { cause: error });
      }
    },
    async giveUp() {
      clearInterval(beat);
      await folder.inMeta((meta) => leaveUnrecorded(meta, id)).catch(() => {});
    },
    async lift() {
      clearInterval(beat);
      await ignoreMissing(folder.inMeta((meta) => unlink(join(meta, `${id}.writing`))));
    },
  };
}

async function replaceMark(meta: string, id: string, manifest: string): Promise<void> {
  const mark = join(meta, `${id}.writing`);
  try {
    const handle = await open(mark, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      await handle.writeFile(manifest);
      await handle.truncate(Buffer.byteLength(manifest));
    } finally {
      await handle.close();
    }
    await rename(mark, join(meta, `${id}.json`));
  } catch (error) {
    await leaveUnrecorded(meta, id);
    throw error;
  }
}

async function leaveUnrecorded(meta: string, id: string): Promise<void> {
  await rename(join(meta, `${id}.writing`), join(meta, `${id}.unrecorded`)).catch(() => {});
}

/** The mark of an artifact in progress, also one left behind by a writer that died or failed. */
export async function readWritingMark(folder: StoreFolder, id: string): Promise<WritingMark | undefined> {
  return (await readMark(folder, id, "writing")) ?? readMark(folder, id, "unrecorded");
}

async function readMark(folder: StoreFolder, id: string, state: MarkState): Promise<WritingMark | undefined> {
  const path = markPath(folder, id, state);
  const text = await readSmall(path);
  const stats = text && (await ignoreMissing(lstat(path)));
  if (text === undefined || stats === undefined) return undefined;
  const seen = { beatAt: stats.mtimeMs, unrecorded: state === "unrecorded" };
  try {
    const value = JSON.parse(text.toString("utf8")) as Partial<WritingMark & CreateArtifact>;
    const { tool = "tool", callId, command, relatedTo } = value;
    return {
      name: String(value.name ?? ""),
      // It may already hold the manifest.
      request: value.request ?? { tool, callId, command, relatedTo },
      pid: Number(value.pid ?? 0),
      host: String(value.host ?? ""),
      ...seen,
    };
  } catch {
    return { name: "", request: { tool: "tool" }, pid: 0, host: "", ...seen };
  }
}

/** True while the writer may still be at work; in doubt true, so that cleanup spares it. */
export function mayBeWriting(mark: WritingMark): boolean {
  if (mark.unrecorded) return false;
  const age = Date.now() - mark.beatAt;
  return age < FRESH_MS || (age < TRUST_PID_MS && writerAlive(mark));
}

/** True when the writer's process exists on this machine. */
export function writerAlive(mark: WritingMark): boolean {
  return mark.host === hostname() && mark.pid > 0 && processExists(mark.pid);
}

type MarkState = "writing" | "unrecorded";

function markPath(folder: StoreFolder, id: string, state: MarkState): string {
  return folder.metaPath(`${id}.${state}`);
}
