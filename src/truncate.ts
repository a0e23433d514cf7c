import path from "node:path";
import { createLocalStore } from "./artifacts/local/local-store.ts";
import type { ArtifactStore } from "./artifacts/types.ts";
import { evaluatePermission, type PermissionRule } from "./gate/permissions.ts";
import { createSpillway } from "./gate/spillway.ts";
import type { BoundedResult } from "./gate/types.ts";
import { MAX_BYTES, MAX_LINES, RETENTION_DAYS, TRUNCATE_DIR } from "./limits/defaults.ts";
import { readEnvironment } from "./limits/environment.ts";

/** What an agent may do, as far as hints depend on it. */
export interface TruncateAgent {
  /** No rules means no Task hint. */
  readonly permission?: readonly PermissionRule[] | undefined;
}

export interface TruncateOptions {
  /** @default 2000 */
  readonly maxLines?: number | undefined;
  /** @default 51200 */
  readonly maxBytes?: number | undefined;
  /** @default "head" */
  readonly direction?: "head" | "tail" | undefined;
  /** Part of the saved file's name. @default "output" */
  readonly tool?: string | undefined;
  readonly callId?: string | undefined;
}

/** `outputPath` is absolute; when saving failed it is null and `lost` says why. */
export type TruncateResult =
  | { readonly content: string; readonly truncated: false }
  | { readonly content: string; readonly truncated: true; readonly outputPath: string }
  | { readonly content: string; readonly truncated: true; readonly outputPath: null; readonly lost: string };

/** Bounds a text: the limits hold the kept text, marker and hint come on top. */
async function output(text: string, options: TruncateOptions = {}, agent?: TruncateAgent): Promise<TruncateResult> {
  const tools = hasTask(agent) ? ["Task", "Read", "Grep"] : ["Read", "Grep"];
  const { maxLines, maxBytes, direction, tool = "output", callId } = options;
  const spillway = createSpillway({ config: false, store: openStore(), tools });
  const governed = await spillway.govern(text, {
    maxLines,
    maxBytes,
    strategy: direction,
    tool,
    callId,
    markers: "outside",
  });
  if (governed.kind === "whole") return { content: text, truncated: false };
  const content = renderTruncated(governed);
  if ("artifact" in governed.storage) return { content, truncated: true, outputPath: governed.storage.artifact.path };
  return { content, truncated: true, outputPath: null, lost: governed.storage.lost };
}

/** Removes saved outputs older than the retention time; only files that Spillway wrote. */
async function cleanup(): Promise<void> {
  await openStore().cleanup();
}

function renderTruncated({ preview, hint, size, strategy }: BoundedResult): string {
  const lines = size.lines - preview.kept.lines;
  const marker =
    lines > 0 ? `...${lines} lines truncated...` : `...${size.bytes - preview.kept.bytes} bytes truncated...`;
  return strategy === "tail" ? `${marker}\n\n${hint}\n\n${preview.text}` : `${preview.text}\n\n${marker}\n\n${hint}`;
}

function hasTask(agent: TruncateAgent | undefined): boolean {
  return (
    agent?.permission !== undefined &&
    agent.permission.length > 0 &&
    evaluatePermission("task", "*", agent.permission).action !== "deny"
  );
}

const stores = new Map<string, ArtifactStore>();

function openStore(): ArtifactStore {
  const dir = directory();
  let store = stores.get(dir);
  if (store === undefined) {
    store = createLocalStore({ dir, retentionDays: readEnvironment(process.env).retentionDays ?? RETENTION_DAYS });
    stores.set(dir, store);
  }
  return store;
}

function directory(): string {
  return path.resolve(readEnvironment(process.env).dir ?? TRUNCATE_DIR);
}

/** The module of seed 004: one function that bounds a text and saves the rest. */
export const Truncate = {
  MAX_LINES,
  MAX_BYTES,
  /** Where outputs are saved: `tool-output/` below the working directory, or `TOOL_OUTPUT_DIR`. */
  get DIR(): string {
    return directory();
  },
  /** Matches every saved output. */
  get GLOB(): string {
    return path.join(directory(), "*");
  },
  output,
  cleanup,
} as const;
