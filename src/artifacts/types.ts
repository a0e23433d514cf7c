import type { ByteSource } from "./byte-source.ts";

/** How an artifact ended: whole, or cut short and why. */
export type Completion = ({ readonly complete: true } | { readonly complete: false; readonly reason: string }) & {
  /** How many secrets of each kind were replaced. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
  /** How the output was shown to its reader, for whoever looks later; the store only keeps it. */
  readonly shown?: Readonly<Record<string, unknown>> | undefined;
};

/** Metadata of an artifact. Written when the artifact is finished; JSON on disk. */
export interface Manifest {
  readonly schema: 1;
  readonly id: string;
  /** File name below the store's folder. */
  readonly name: string;
  readonly tool: string;
  readonly callId?: string;
  /** The command that printed it, where it is known. */
  readonly command?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly bytes: number;
  /** Lines; a final newline does not open another one. */
  readonly lines: number;
  readonly sha256: string;
  readonly complete: boolean;
  /** Why it was cut short; only when not complete. */
  readonly reason?: string;
  /** The artifact that this companion belongs to, such as the JSON that this text was taken from. */
  readonly relatedTo?: string;
  /** How many secrets of each kind were replaced; absent when none was. */
  readonly redacted?: Readonly<Record<string, number>>;
  /** How the output was shown to its reader: strategy, limits, question, ending. */
  readonly shown?: Readonly<Record<string, unknown>>;
}

/** Metadata known when an artifact ends. */
export interface FinishedArtifact extends Manifest {
  /** Why the manifest could not be written; the artifact's bytes are in place all the same. */
  readonly unrecorded?: string;
  /** Why it is in the local folder for now instead of where it belongs. */
  readonly spooled?: string;
}

export interface CreateArtifact {
  readonly tool: string;
  readonly callId?: string | undefined;
  /** The command that prints it. */
  readonly command?: string | undefined;
  /** Without the dot. @default "txt" */
  readonly extension?: string | undefined;
  readonly relatedTo?: string | undefined;
  /** A file with just the bytes that will be written: a local store takes it over, others write as usual. */
  readonly adopt?: string | undefined;
  /** The id that another store gave it. @default a new one */
  readonly id?: string | undefined;
  /** About how many bytes will be written, where that is known; a store may prepare for them. */
  readonly expectedBytes?: number | undefined;
}

/** Where an artifact is: enough to name it in a hint before it is finished. */
export interface ArtifactLocation {
  readonly id: string;
  readonly name: string;
  /** Absolute path for a local store, a URI for others. */
  readonly path: string;
}

/** A found artifact; an unfinished one has no manifest. */
export type FoundArtifact = ArtifactLocation & { readonly manifest?: Manifest };

/** An artifact being written. After a rejection the writer is unusable; the written bytes are kept as cut short. */
export interface ArtifactWriter extends ArtifactLocation {
  /** Takes bytes in order. A promise means: wait for it before the next write. The chunk may be reused after that. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Ends the artifact and writes manifest and line index; a manifest that cannot be written costs no byte. */
  finish(completion: Completion): Promise<FinishedArtifact>;
  /** Removes every trace of it. */
  discard(): Promise<void>;
}

/** Bytes from 0, half open. */
export interface ByteRange {
  readonly startByte: number;
  readonly endByte: number;
}

export interface LinesRequest {
  /** First line, from 1. */
  readonly offsetLine: number;
  readonly limit: number;
  /** Most bytes to return; a line that does not fit is cut at a code point. @default 51200 */
  readonly maxBytes?: number;
}

export interface LinesAnswer {
  readonly text: string;
  readonly startLine: number;
  /** Last line that is at least partly in `text`. */
  readonly endLine: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly totalLines: number;
  readonly totalBytes: number;
  /** True if the last line was cut; the rest of it starts at `endByte`. */
  readonly lineCut: boolean;
}

export interface CleanupOptions {
  /** The time that counts as now, in milliseconds since 1970. @default Date.now() */
  readonly now?: number | undefined;
  /** Saved outputs older than this are removed. */
  readonly retentionDays?: number | undefined;
  /** Most bytes that all artifacts may take together; the oldest go first. */
  readonly quotaBytes?: number | undefined;
  /**
   * An automatic cleanup. Artifacts of the last hour are kept, and all are kept for a day if all of
   * it would expire at once, as after a jump of the clock. @default false
   */
  readonly automatic?: boolean | undefined;
  /** Removes nothing, and reports what would be removed. @default false */
  readonly dryRun?: boolean | undefined;
}

export interface CleanupReport {
  readonly removed: readonly string[];
  readonly freedBytes: number;
  readonly keptBytes: number;
  /** Uploads that a crash had left and that were ended; absent when there were none. */
  readonly abortedUploads?: number;
  /** Why nothing was removed: all would have expired at once, as after a jump of the clock. */
  readonly clockProblem?: string;
}

export type Verification =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly problem: string; readonly manifest?: Manifest };

/**
 * Keeps full outputs. Made for remote stores too: streaming writes, conditional create, ranged reads, no rename.
 * The suite in `spillway/artifacts/contract` tests an implementation.
 */
export interface ArtifactStore {
  /** Opens a new artifact; never overwrites. */
  create(request: CreateArtifact): Promise<ArtifactWriter>;
  /** Finds an artifact by id, file name, call id or path; undefined if there is none. */
  find(reference: string): Promise<(ArtifactLocation & { readonly manifest?: Manifest }) | undefined>;
  /** Oldest first. */
  list(): AsyncIterable<Manifest & { readonly path: string }>;
  read(id: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Opens an artifact for many ranged reads; without this method each range is a separate `read`. */
  open?(id: string): Promise<ByteSource>;
  readLines(id: string, request: LinesRequest): Promise<LinesAnswer>;
  verify(id: string): Promise<Verification>;
  remove(id: string): Promise<boolean>;
  /** Removes expired artifacts and those over the quota; never unfinished or pinned ones, never files of others. */
  cleanup(options?: CleanupOptions): Promise<CleanupReport>;
  /** Keeps artifacts from cleanup for as long as `owner` (a live session) holds them; replaces the owner's earlier pins. */
  pin(owner: string, ids: readonly string[]): Promise<void>;
  unpin(owner: string): Promise<void>;
}
