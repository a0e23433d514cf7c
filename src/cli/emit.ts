import path from "node:path";
import { createHint } from "../gate/hint.ts";
import { renderEnvelope, renderMessage, renderWrapper } from "../gate/render.ts";
import type { Governed, HintFacts } from "../gate/types.ts";
import type { ToolStats } from "../protocol/types.ts";
import type { Format, RootOptions } from "./options.ts";

export interface EmitOptions {
  readonly format: Format;
  readonly root: string;
  readonly params: unknown;
  readonly stats: ToolStats;
  readonly text?: string;
}

/** Writes to standard output and waits until it is taken. */
export function writeOut(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

/** Prints a result as the model should see it. Within limits, text and wrapper print the raw output. */
export async function emit(governed: Governed, options: EmitOptions): Promise<void> {
  if (options.format === "envelope") {
    const { root, stats, text } = options;
    const cwd = path.relative(root, process.cwd());
    const context = {
      cwd: cwd === "" || cwd.startsWith("..") ? "." : cwd.split(path.sep).join("/"),
      params_input: options.params,
    };
    const envelope = renderEnvelope(governed, { root, stats, context, ...(text === undefined ? {} : { text }) });
    return writeOut(`${JSON.stringify(envelope, null, 2)}\n`);
  }
  if (governed.kind === "whole") return writeOut(governed.bytes ?? governed.text);
  if (options.format === "wrapper") return writeOut(`${JSON.stringify(renderWrapper(governed), null, 2)}\n`);
  return writeOut(`${renderMessage(governed)}\n`);
}

/** The built-in hint, and how to get at the rest from a shell. */
export function shellHint(options: RootOptions): (facts: HintFacts) => string {
  return (facts) => {
    const hint = createHint(facts);
    if ("lost" in facts.storage) return hint;
    const { id, path: location } = facts.storage.artifact;
    const reference = options.root === undefined && options.dir === undefined ? id : location;
    const omission = facts.firstOmission;
    const range =
      omission !== undefined && omission.lines === 0
        ? `--bytes ${omission.startByte}-${omission.endByte}`
        : `--offset ${omission?.startLine ?? 1} --limit 200`;
    return `${hint}\nIn a shell: spillway artifacts grep PATTERN ${reference}, or spillway artifacts read ${reference} ${range}`;
  };
}
