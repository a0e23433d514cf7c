import { z } from "zod";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import { defineTool } from "../registry/define-tool.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import { diffText, type EditableFile, inTurn, loadEditable, replaceContent, requireExact } from "./editable-file.ts";
import { respondToChange } from "./write.ts";

const MAX_NAMED_LINES = 10;

/** Replaces a piece of text in a file. */
export const editTool = defineTool({
  name: "Edit",
  description:
    "Replace old_string with new_string in a file, atomically. old_string must match the file exactly, without line numbers, and occur once unless replace_all is true. Mode, encoding and line endings are kept. Fails with CONFLICT if the file changed since it was read.",
  readOnly: false,
  parameters: z.strictObject({
    path: z.string().min(1).describe("File, relative to the root."),
    old_string: z.string().min(1).describe("Text to replace, with enough around it to be unique."),
    new_string: z.string().describe("Text to put in its place."),
    replace_all: z.boolean().default(false).describe("Replace every occurrence."),
    dry_run: z.boolean().default(false).describe("Only show the diff, write nothing."),
    expected_hash: z.string().optional().describe("data.hash of an earlier Read; CONFLICT if the file differs now."),
  }),
  execute: (args, run) => inTurn(run, args.path, () => edit(args, run)),
});

interface EditArgs {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
  readonly dry_run: boolean;
  readonly expected_hash?: string | undefined;
}

async function edit(args: EditArgs, run: ToolRun): Promise<ToolResponse> {
  const file = await loadEditable(run, args.path, args.expected_hash);
  requireExact(file);
  const oldString = likeFile(file, args.old_string);
  const newString = likeFile(file, args.new_string);
  if (oldString === newString) {
    throw new ToolFailure("INVALID_PARAM", "old_string and new_string are the same; there is nothing to change.", {
      next: "Give the new text in new_string.",
    });
  }
  const places = occurrences(file.text, oldString);
  if (places.length === 0) throw notThere(file, oldString);
  if (places.length > 1 && !args.replace_all) throw ambiguous(file, places);
  const after = file.text.split(oldString).join(newString);
  const diff = diffText(file.target.relative, file.text, after);
  const write = () => replaceContent(run, file, after);
  const stats = { replacements: places.length };
  return respondToChange(run, {
    path: file.target.relative,
    verb: "Edited",
    diff,
    dryRun: args.dry_run,
    write,
    stats,
  });
}

function likeFile(file: EditableFile, text: string): string {
  return file.lineEnding === "\r\n" ? text.replaceAll("\r\n", "\n") : text;
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

function ambiguous(file: EditableFile, places: readonly number[]): ToolFailure {
  const lines = places.slice(0, MAX_NAMED_LINES).map((at) => lineOf(file.text, at));
  const more = places.length > MAX_NAMED_LINES ? ", …" : "";
  return new ToolFailure(
    "INVALID_PARAM",
    `old_string occurs ${places.length} times in ${file.target.relative} (lines ${lines.join(", ")}${more}); nothing was changed.`,
    { next: "Add lines around it to make it unique, or set replace_all to true.", data: { applied: false, lines } },
  );
}

function notThere(file: EditableFile, oldString: string): ToolFailure {
  const wanted =
    oldString
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "";
  const near = wanted === "" ? -1 : file.text.split("\n").findIndex((line) => line.includes(wanted));
  const path = file.target.relative;
  const look =
    near === -1 ? { path } : { path, offset: Math.max(1, near - 4), limit: oldString.split("\n").length + 10 };
  const hint = near === -1 ? "" : ` Its first line is on line ${near + 1}; white space or what follows differs.`;
  const mixed = file.text.includes("\r\n") ? " Some lines of the file, not all, end with \\r\\n." : "";
  return new ToolFailure("INVALID_PARAM", `old_string is not in ${path}; nothing was changed.${hint}${mixed}`, {
    next: `Copy it exactly from Read ${JSON.stringify(look)}, without line numbers.`,
    data: { applied: false },
  });
}
