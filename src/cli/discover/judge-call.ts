import { readFileSync, statSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import { isBounded } from "../../integrations/hosts/bound-file.ts";
import { covers, type Host } from "../../integrations/hosts/host.ts";
import { readCalls } from "../../integrations/hosts/transcripts/find-transcripts.ts";
import type { PastCall, TranscriptPlace } from "../../integrations/hosts/transcripts/transcript.ts";
import { preview } from "../../preview/preview.ts";

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

/** What would have been different about a past call. */
export interface JudgedCall {
  readonly tool: string;
  /** The command, or what else was asked for. */
  readonly asked: string;
  /** Of the whole output, or the least that it was. */
  readonly bytes: number;
  readonly exact: boolean;
  readonly shownBytes: number;
  /** What Spillway would have shown at most. */
  readonly mostBytes: number;
  /**
   * The first error line that was there and that the model was not shown, and whether Spillway's preview has it; null when
   * every error line was shown, undefined when nobody kept enough of the output to tell.
   */
  readonly hidden: { readonly line: string; readonly preview: boolean } | null | undefined;
}

/** Whole outputs beyond this are not looked into. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ASKED_CHARS = 80;
const REASONS = /error|fail|fatal|exception|panic|crash|traceback|assert|refused|stopped|resources|sanitizer/;
const ERROR_LINE = /error|fail|fatal|exception|panic|denied|refused|not ok|assert|abort|cannot|undefined/i;

/** Gives undefined for a call that Spillway would have left alone, or that it has bounded already. */
export function judgeCall(host: Host, call: PastCall): JudgedCall | undefined {
  if (isBounded(call.shown)) return undefined;
  const mostBytes = call.failed === true ? host.maxBytes.failure : host.maxBytes.success;
  const { bytes, exact } = sizeOf(call);
  if (bytes <= mostBytes) return undefined;
  const whole = wholeOf(call);
  const hidden = whole === undefined ? undefined : findHidden(whole, call.shown, mostBytes);
  const known = hidden === null && call.partial === true ? undefined : hidden;
  return {
    tool: call.tool,
    asked: askedOf(call),
    bytes,
    exact,
    shownBytes: Buffer.byteLength(call.shown),
    mostBytes,
    hidden: known,
  };
}

function sizeOf({ file, whole, partial, bytes, shown }: PastCall): { readonly bytes: number; readonly exact: boolean } {
  const size = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
  const kept = size ?? (whole === undefined ? undefined : Buffer.byteLength(whole));
  if (kept !== undefined && partial !== true) return { bytes: kept, exact: true };
  const told = Math.max(bytes ?? 0, kept ?? 0, Buffer.byteLength(shown));
  return { bytes: told, exact: file === undefined && bytes === undefined };
}

function wholeOf({ file, whole, bytes, shown }: PastCall): string | undefined {
  if (file !== undefined && (statSync(file, { throwIfNoEntry: false })?.size ?? MOST_BYTES + 1) <= MOST_BYTES)
    return readFileSync(file, "utf8");
  // Without any sign of a cut the model was shown all of it.
  return whole ?? (file === undefined && bytes === undefined ? shown : undefined);
}

function findHidden(whole: string, shown: string, maxBytes: number): JudgedCall["hidden"] {
  const lines = whole.split("\n");
  const { text, blocks } = preview(whole, { strategy: "smart", maxBytes });
  for (const { startLine, endLine } of blocks.filter(({ reason }) => REASONS.test(reason))) {
    const line = lines
      .slice(startLine - 1, endLine)
      .find((one) => ERROR_LINE.test(one))
      ?.trim();
    if (line !== undefined && !shown.includes(line)) return { line, preview: text.includes(line) };
  }
  return null;
}

function askedOf({ input }: PastCall): string {
  const said = [input.command, input.cmd, input.pattern, input.url, input.query].find((one) => typeof one === "string");
  const text = String(said ?? JSON.stringify(input)).replaceAll(/\s+/g, " ");
  return text.length > MOST_ASKED_CHARS ? `${text.slice(0, MOST_ASKED_CHARS - 1)}…` : text;
}
