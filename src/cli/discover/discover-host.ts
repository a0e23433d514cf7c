import { statSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import { isBounded } from "../../integrations/hosts/bound-mark.ts";
import { covers } from "../../integrations/hosts/covers.ts";
import type { Host } from "../../integrations/hosts/host.ts";
import { readCalls } from "../../integrations/hosts/transcripts/find-transcripts.ts";
import type { TranscriptPlace } from "../../integrations/hosts/transcripts/transcript.ts";
import { type JudgedCall, judgeCall } from "./judge-call.ts";

/** What a host's transcripts say of results that were too long. */
export interface Discovered {
  readonly host: string;
  readonly title: string;
  readonly transcripts: number;
  readonly calls: number;
  /** Results that Spillway has bounded already. */
  readonly boundedAlready: number;
  /** Results that it would have bounded, the largest first. */
  readonly tooLong: readonly JudgedCall[];
  /** Transcripts that could not be read, and why. */
  readonly unread: readonly string[];
}

/** Reads every transcript of a host that was written since then. */
export async function discoverHost(host: Host, place: TranscriptPlace, sinceMs: number): Promise<Discovered> {
  const files = place.files().filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs);
  const tooLong: JudgedCall[] = [];
  const unread: string[] = [];
  let calls = 0;
  let boundedAlready = 0;
  for (const file of files) {
    try {
      for await (const call of readCalls(place, file)) {
        calls++;
        if (isBounded(call.shown)) boundedAlready++;
        const judged = covers(host, call.tool) ? judgeCall(host, call) : undefined;
        if (judged !== undefined) tooLong.push(judged);
      }
    } catch (error) {
      unread.push(`${file}: ${messageOf(error)}`);
    }
  }
  tooLong.sort((a, b) => b.bytes - a.bytes);
  return { host: host.name, title: host.title, transcripts: files.length, calls, boundedAlready, tooLong, unread };
}
