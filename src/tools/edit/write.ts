import { z } from "zod";
import { formatCount, formatPlural } from "../../preview/omission.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import { defineTool } from "../registry/define-tool.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import { createFile, diffText, inTurn, loadEditable, replaceContent, type TextDiff } from "./editable-file.ts";

/** Writes a whole file. */
export const writeTool = defineTool({
  name: "Write",
  description:
    "Create a file or replace all of its content, atomically; missing directories are created. An existing file keeps its mode, encoding, line endings and byte order mark. Fails with CONFLICT if it changed since it was read.",
  readOnly: false,
  parameters: z.strictObject({
    path: z.string().min(1).describe("File, relative to the root."),
    content: z.string().describe("All of the new content."),
    dry_run: z.boolean().default(false).describe("Only show the diff, write nothing."),
    expected_hash: z.string().optional().describe("data.hash of an earlier Read; CONFLICT if the file differs now."),
  }),
  async execute({ path, content, dry_run: dryRun, expected_hash: expectedHash }, run) {
    if (/[/\\]$/.test(path)) {
      throw new ToolFailure("INVALID_PARAM", `${path} names a directory, not a file.`, {
        next: "Leave out the final slash; missing directories are made.",
      });
    }
    return inTurn(run, path, async () => {
      const existing = await loadEditable(run, path, expectedHash).catch((error) => {
        if (error instanceof ToolFailure && error.code === "NOT_FOUND") return undefined;
        throw error;
      });
      if (existing === undefined && expectedHash !== undefined) {
        throw new ToolFailure("CONFLICT", `${path} is no longer there; nothing was written.`, {
          next: "Leave expected_hash out to create it again.",
          data: { applied: false },
        });
      }
      const target = existing?.target ?? (await run.sandbox.resolve(path));
      const before = existing?.text ?? "";
      const after = existing?.lineEnding === "\r\n" ? content.replaceAll("\r\n", "\n") : content;
      const diff = diffText(target.relative, before, after);
      const write = () =>
        existing === undefined ? createFile(run, target, content) : replaceContent(run, existing, after);
      const verb = existing === undefined ? "Created" : "Replaced";
      return respondToChange(run, { path: target.relative, verb, diff, dryRun, write, stats: {} });
    });
  },
});

export interface Change {
  readonly path: string;
  /** The change, in the past tense. */
  readonly verb: string;
  readonly diff: TextDiff;
  readonly dryRun: boolean;
  /** Does it, and gives the hash of the new content. */
  readonly write: () => Promise<string>;
  readonly stats: Readonly<Record<string, number>>;
}

/** Applies a change, or only shows it in a dry run, and answers with the diff. */
export async function respondToChange(run: ToolRun, change: Change): Promise<ToolResponse> {
  const { path, verb, diff, dryRun } = change;
  const stats = { lines_added: diff.added, lines_removed: diff.removed, ...change.stats };
  const shown = diff.patch === undefined ? {} : { diff: diff.patch };
  const size = `${formatPlural(diff.added, "line")} added, ${formatCount(diff.removed)} removed`;
  if (dryRun) {
    const why = { because: "dry-run only, nothing was written", next: "Repeat the call without dry_run to apply it." };
    return run.partial({ applied: false, ...shown }, `Would change ${path}: ${size}.`, why, { path, stats });
  }
  run.throwIfAborted();
  const hash = await change.write();
  const left = diff.patch === undefined ? " The diff is too long to show." : "";
  return run.success({ applied: true, ...shown, hash }, `${verb} ${path}: ${size}.${left}`, { path, stats });
}
