import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { definedOnly } from "../../../limits/options.ts";
export type Fields = Readonly<Record<string, unknown>>;

/** What a host's transcript says of one thing that happened. */
export type TranscriptEntry =
  | { readonly kind: "prompt"; readonly text: string }
  /** What the model wrote. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: Fields }
  | ({ readonly kind: "result"; readonly id: string; readonly text: string } & KeptOutput & Ending)
  | ({ readonly kind: "output"; readonly id: string } & KeptOutput);

interface Ending {
  readonly failed?: boolean | undefined;
}

/** What the host kept of an output besides what its model was sent. */
export interface KeptOutput {
  /** Holds all of it, as long as nobody removed it. */
  readonly file?: string | undefined;
  /** All of it, or its beginning and end where `partial` says so. */
  readonly whole?: string | undefined;
  readonly partial?: boolean | undefined;
  /** The least that it was, where the host tells that and no more. */
  readonly bytes?: number | undefined;
}

/** Where a host keeps the transcripts of past sessions, and how it writes them. */
export interface TranscriptPlace {
  readonly host: string;
  /** The files of all sessions; none when there are none. */
  readonly files: () => readonly string[];
  /** Everything in a file, in order. @default one JSON value a line */
  readonly read?: (file: string) => AsyncIterable<unknown>;
  readonly parse: (value: Fields) => readonly TranscriptEntry[];
  /** The file of a session, where hooks name only its id. */
  readonly session?: (id: string) => string;
  /** The file of the session that a command below the host's shell belongs to. */
  readonly current?: (env: Readonly<Record<string, string | undefined>>, cwd: string) => string | undefined;
}

/** One call of a tool in a past session. */
export interface PastCall extends KeptOutput, Ending {
  readonly tool: string;
  readonly input: Fields;
  /** What the model was sent. */
  readonly shown: string;
}

/** The calls of a session that were answered, in order. */
export async function* pairCalls(entries: AsyncIterable<TranscriptEntry>): AsyncIterable<PastCall> {
  const open = new Map<string, { tool: string; input: Fields; kept: KeptOutput }>();
  for await (const entry of entries) {
    if (entry.kind === "call") open.set(entry.id, { tool: entry.tool, input: entry.input, kept: {} });
    else if (entry.kind !== "prompt" && entry.kind !== "text") {
      const call = open.get(entry.id);
      if (call === undefined) continue;
      const { kind: _, id: __, ...rest } = entry;
      call.kept = { ...call.kept, ...definedOnly(rest) };
      if (entry.kind !== "result") continue;
      open.delete(entry.id);
      yield { tool: call.tool, input: call.input, ...call.kept, failed: entry.failed, shown: entry.text };
    }
  }
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text, or the texts of a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => stringOf(text) ?? "")
    .join("");
}

/** What the model wrote, if anything. */
export function writtenText(content: unknown): readonly TranscriptEntry[] {
  const text = textOf(content).trim();
  return text === "" ? [] : [{ kind: "text", text }];
}

/** What the user wrote; what the host put there in the user's name stands in tags. */
export function promptOf(content: unknown): readonly TranscriptEntry[] {
  const text = textOf(content).trim();
  return text === "" || text.startsWith("<") ? [] : [{ kind: "prompt", text }];
}
