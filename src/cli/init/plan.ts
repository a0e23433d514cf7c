import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { invalidArgument, invalidConfig, isSpillwayError, messageOf, SpillwayError } from "../../errors.ts";
import type { Host } from "../../integrations/hosts/host.ts";
import { INSTALLED } from "../../integrations/hosts/program-folder.ts";
import type { WrapperFile } from "../../integrations/hosts/wrapper-files.ts";

export const PARTS = ["shell", "results", "mcp"] as const;
export type Part = (typeof PARTS)[number];

/** One file of a host, before and after. */
export interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  /** Undefined when the file goes away. */
  readonly after: string | undefined;
  /** What it does, in a few words. */
  readonly what: string;
  /** The content if the file had been empty; undefined if it would stay empty. */
  readonly alone: string | undefined;
}

export interface HostChanges {
  readonly changes: readonly FileChange[];
  /** What the host starts or reads, in our own folder. */
  readonly ownFiles: readonly WrapperFile[];
  /** Other notes for the user. */
  readonly remarks: readonly string[];
}

export interface ChangeRequest {
  readonly parts: readonly Part[];
  readonly project: boolean;
  readonly root: string;
  readonly remove: boolean;
  /** Options for the proxy in front of every server. */
  readonly proxyFlags?: readonly string[] | undefined;
}

/** Collects edits, so that two to the same file become one change. */
export class Plan {
  readonly ownFiles: WrapperFile[] = [];
  readonly remarks: string[] = [];
  readonly #files = new Map<string, Omit<FileChange, "file" | "what"> & { readonly what: readonly string[] }>();

  edit(file: string, what: string, change: (text: string) => string | undefined): void {
    const before = readIfThere(file);
    const known = this.#files.get(file) ?? { before, after: before, what: [], alone: "" };
    const after = inFile(file, () => change(known.after ?? ""));
    this.#files.set(file, {
      before,
      after,
      what: [...known.what, what],
      alone: change(known.alone ?? "") || undefined,
    });
  }

  finish(): HostChanges {
    const changes = [...this.#files]
      .filter(([, { before, after }]) => (after ?? "") !== (before ?? ""))
      .map(([file, change]) => ({ file, ...change, what: [...new Set(change.what)].join("; ") }));
    return { changes, ownFiles: this.ownFiles, remarks: this.remarks };
  }
}

/** Does something with the text of a file; an error names the file. */
export function inFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSpillwayError(error) || error.message.includes(file)) throw error;
    throw new SpillwayError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}

/** Refuses to change another program's key; with `--remove` the key just stays. */
export function refuseOwner(remove: boolean, text: string, file: string, key: string, owner: unknown): string {
  if (remove) return text;
  throw invalidConfig(`${key} in ${file} is set by something else (${String(owner)}); it was left as it is.`);
}

export function partRefused(host: Host, flag: string, why: string): SpillwayError {
  return invalidArgument(`${flag} is not possible for ${host.title}: ${why}.`);
}

export function projectRefused(host: Host): SpillwayError {
  return invalidArgument(`--project is not possible for ${host.title}: all its files for this are shared with others.`);
}

const OURS = new RegExp(`${INSTALLED.source}hosts[/\\\\]|[/\\\\]spillway[/\\\\](?:ba|z)sh$`);

/** True for a path of ours, of any version. */
export function isOurs(value: unknown): boolean {
  return typeof value === "string" && OURS.test(value);
}

/** A `.jsonc` file beside a missing `.json` is the one that the host reads. */
export function withComments(file: string): string {
  return file.endsWith(".json") && !existsSync(file) && existsSync(`${file}c`) ? `${file}c` : file;
}

/** The text of a host's file. Throws if it cannot be read or is not UTF-8. */
export function readIfThere(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw invalidConfig(`${file} cannot be read: ${messageOf(error)}`);
  }
  if (!isUtf8(bytes)) throw invalidConfig(`${file} is not UTF-8; it was left as it is.`);
  return bytes.toString();
}
