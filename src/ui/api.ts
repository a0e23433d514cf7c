/**
 * The types of the inspector's JSON API, version 1: `GET /api/v1/…`. Its first user is the page; scripts may use it too.
 * Bytes are UTF-8 bytes, lines count from 1, times are ISO 8601 in UTC.
 */

/** One bounded output, as the feed and the list have it. */
export interface OutputRow {
  /** Id of the artifact; absent when the output was lost. */
  readonly id?: string;
  readonly at: string;
  /** The surface: `cli`, `agent`, `proxy`, `mcp`, `sdk`, or the name of an agent host. */
  readonly surface: string;
  readonly tool: string;
  readonly callId?: string;
  /** The command that printed it, where it is known. */
  readonly command?: string;
  readonly lines: number;
  readonly bytes: number;
  readonly tokens: number;
  /** The preview that the model saw; absent if none was recorded. */
  readonly shown?: { readonly lines: number; readonly bytes: number; readonly tokens: number };
  readonly shape?: string;
  readonly strategy?: string;
  readonly outcome?: string;
  /** Why the artifact is incomplete, or missing. */
  readonly trouble?: string;
  readonly redacted?: Readonly<Record<string, number>>;
}

/** `GET outputs?tool=&surface=&shape=&outcome=&text=&before=&limit=`: newest first. */
export interface OutputList {
  readonly total: number;
  readonly outputs: readonly OutputRow[];
  /** Every value that a filter can take. */
  readonly tools: readonly string[];
  readonly surfaces: readonly string[];
  readonly shapes: readonly string[];
}

/** `GET outputs/ID` */
export interface OutputDetail {
  readonly row: OutputRow;
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  /** How it was shown; absent for artifacts of an earlier version. */
  readonly shown?: Readonly<Record<string, unknown>>;
  /** Of an image that the page can show: its media type. */
  readonly image?: string;
}

/** A block of lines that a preview keeps. */
export interface KeptLines {
  readonly startLine: number;
  readonly endLine: number;
  readonly reason: string;
  readonly score: number;
}

/** A region that a preview leaves out. */
export interface OmittedLines {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: number;
  readonly bytes: number;
  readonly startByte: number;
  readonly endByte: number;
}

/** `GET outputs/ID/preview?strategy=&max_lines=&max_bytes=&max_chars=&max_tokens=&query=`; without any: as it was shown. */
export interface PreviewAnswer {
  readonly text: string;
  /** The hint next to the preview. */
  readonly notice: string;
  readonly truncated: boolean;
  readonly strategy: string;
  readonly shape?: string;
  readonly unanswered: boolean;
  readonly source: { readonly lines: number; readonly bytes: number };
  readonly kept: { readonly lines: number; readonly bytes: number };
  readonly tokens: number;
  readonly blocks: readonly KeptLines[];
  readonly omissions: readonly OmittedLines[];
  /** True if this is byte for byte what the model saw; false if that is unknown. */
  readonly asShown: boolean;
}

/** `GET outputs/ID/lines?from=&limit=`: at most 256 KB. */
export interface LinesPage {
  readonly from: number;
  readonly totalLines: number;
  readonly lines: readonly string[];
  /** True if the last line continues beyond this text. */
  readonly lastCut: boolean;
}

/** `GET outputs/ID/grep?pattern=&ignore_case=1&fixed=1` */
export interface GrepPage {
  readonly total: number;
  readonly complete: boolean;
  readonly matches: readonly { readonly line: number; readonly text: string }[];
}

/** `GET search?q=`: passages of any artifact. */
export interface SearchPage {
  readonly hits: readonly {
    readonly id: string;
    readonly tool: string;
    readonly at: string;
    readonly startLine: number;
    readonly text: string;
  }[];
  /** Artifacts that were not searched, since there are too many or they are too large. */
  readonly skipped: number;
}

/** `GET sessions` */
export interface SessionRow {
  readonly id: string;
  readonly at: string;
  readonly model: string;
  readonly prompt: string;
  readonly agent?: string;
  readonly parent?: string;
  readonly state: string;
  readonly events: number;
}

/** One entry of a session's timeline. */
export interface TimelineEntry {
  readonly at: string;
  readonly kind: "user" | "model" | "call" | "result" | "remark" | "end";
  readonly text: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly status?: string;
  readonly artifact?: string;
  readonly before?: { readonly bytes: number; readonly tokens: number };
  readonly after?: { readonly bytes: number; readonly tokens: number };
  /** From here on the result is sent as a stub. */
  readonly stubbed?: boolean;
  /** The session of a sub-agent that this call started. */
  readonly child?: string;
}

/** The parts of one model request, in estimated tokens. */
export interface RequestSize {
  readonly results: number;
  readonly stubs: number;
  readonly text: number;
  /** As the provider counted it. */
  readonly input: number;
  readonly output: number;
}

/** `GET sessions/ID` */
export interface SessionDetail {
  readonly row: SessionRow;
  readonly timeline: readonly TimelineEntry[];
  readonly requests: readonly RequestSize[];
  readonly windowTokens: number;
  /** Tokens that bounding results saved, minus later reads: as `spillway sessions show` and `stats` count them. */
  readonly savedTokens: number;
  /** Kept out by stubs in place of older results, over all later requests. */
  readonly stubSavedTokens: number;
  readonly readBackTokens: number;
}

export interface SavingsRow {
  readonly key: string;
  readonly outputs: number;
  readonly bytes: number;
  readonly shownBytes: number;
  /** The size without Spillway: the host's own cut, or at most one context window. */
  readonly baselineBytes: number;
  /** Tokens of the baseline less those shown and those read back later; estimated. */
  readonly savedTokens: number;
  readonly rereadTokens: number;
}

/** `GET savings?by=tool|surface|shape`, or `&format=csv` */
export interface Savings {
  readonly rows: readonly SavingsRow[];
  /** By hour or day, oldest first. */
  readonly series: readonly {
    readonly at: string;
    readonly bytes: number;
    readonly shownBytes: number;
    readonly savedTokens: number;
  }[];
}

/** `GET health` */
export interface Health {
  readonly root: string;
  readonly writable: boolean;
  readonly stores: readonly {
    readonly dir: string;
    readonly artifacts: number;
    readonly bytes: number;
    readonly unfinished: number;
  }[];
  readonly retentionDays: number;
  readonly quotaBytes?: number;
  /** Artifacts that expire on each day, by retention alone. */
  readonly leaving: readonly { readonly day: string; readonly artifacts: number; readonly bytes: number }[];
}

/** One step of `POST verify`, as server-sent events. */
export interface VerifyStep {
  readonly done: number;
  readonly total: number;
  readonly id?: string;
  readonly problem?: string;
}

/** `POST clean` (`?dry_run=1`) */
export interface CleanAnswer {
  readonly dryRun: boolean;
  readonly removed: readonly string[];
  readonly freedBytes: number;
}

/** The data of an exported page, which has no server. */
export interface ExportedPage {
  readonly madeAt: string;
  readonly version: string;
  readonly output?: {
    readonly detail: OutputDetail;
    readonly preview: PreviewAnswer;
    /** Ranges of lines; others were left out of the export. */
    readonly runs: readonly { readonly from: number; readonly lines: readonly string[] }[];
    readonly totalLines: number;
  };
  readonly session?: SessionDetail;
}
