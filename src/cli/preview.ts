import { createHash } from "node:crypto";
import { Command } from "commander";
import { createSpillway } from "../gate/spillway.ts";
import { tokenCounterFor } from "../gate/token-counter.ts";
import { createAccumulator } from "../preview/accumulator.ts";
import { formatLineRange, pluralOf } from "../preview/omission.ts";
import type { Preview } from "../preview/types.ts";
import { endLine, writeJson, writeOut } from "./emit.ts";
import {
  addLimitOptions,
  addProjectOptions,
  addRedactOption,
  type LimitFlags,
  resolveLimitFlags,
  resolveProject,
} from "./options.ts";
import { readFileOrInput } from "./read-input.ts";

interface PreviewFlags extends LimitFlags {
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** `spillway preview [options] [FILE]` */
export function createPreviewCommand(): Command {
  return addRedactOption(addLimitOptions(addProjectOptions(new Command("preview"))))
    .description("Show the preview of a file or of standard input. Nothing is saved.")
    .argument("[file]", "file to read; standard input if left out or -")
    .option("--explain", "instead of the text, list each kept block with its lines, score and reason")
    .option("--json", "print the preview and exactly what it leaves out, as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ spillway preview --max-bytes 8000 build.log\n  $ spillway preview --explain --query 'timeout' build.log",
    )
    .action((file: string | undefined, flags: PreviewFlags) => preview(file, flags));
}

async function preview(file: string | undefined, flags: PreviewFlags): Promise<void> {
  const given = resolveLimitFlags(flags);
  const spillway = createSpillway(resolveProject(flags));
  const { limits, strategy } = await spillway.limits({ ...given, tool: "preview" });
  const accumulator = createAccumulator({
    limits,
    strategy: strategy === "summarize" ? "head_tail" : strategy,
    query: flags.query,
    countTokens: await tokenCounterFor(limits),
  });
  const whole: Uint8Array[] = [];
  const redactor = (await spillway.redaction())?.stream();
  const hash = createHash("sha256");
  const put = (bytes: Uint8Array): void => {
    hash.update(bytes);
    accumulator.write(bytes);
    if (!accumulator.over) whole.push(Uint8Array.from(bytes));
  };
  const take = (chunk: Uint8Array): undefined => {
    for (const bytes of redactor?.write(chunk) ?? [chunk]) put(bytes);
  };
  await readFileOrInput(file, take);
  for (const bytes of redactor?.end() ?? []) put(bytes);
  const markers = given.markersOnTop === true ? "on_top" : "inside";
  const result = accumulator.finish({ mark: hash.digest("hex"), markers });
  if (flags.json === true) return writeJson(result);
  if (flags.explain === true) return writeOut(explain(result));
  if (!result.truncated) return writeOut(Buffer.concat(whole));
  await writeOut(endLine(result.text, limits));
}

function explain(result: Preview): string {
  const shape = result.shape === undefined ? "" : `, read as ${result.shape}`;
  const head = `${result.strategy}${shape}: ${result.kept.lines} of ${result.source.lines} ${pluralOf(result.source.lines, "line")}, ${result.kept.bytes} of ${result.source.bytes} ${pluralOf(result.source.bytes, "byte")} kept${result.unanswered === true ? "; nothing matches the question" : ""}\n`;
  const rows = result.blocks.map(
    ({ startLine, endLine, score, reason }) =>
      `${formatLineRange(startLine, endLine).padEnd(22)} ${score.toFixed(1).padStart(7)}  ${reason}\n`,
  );
  return head + rows.join("");
}
