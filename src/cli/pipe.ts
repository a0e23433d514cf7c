import { Command, Option } from "commander";
import { emit } from "./emit.ts";
import { openGate } from "./open-gate.ts";
import {
  addFormatOptions,
  addLimitOptions,
  addProjectOptions,
  addRedactOption,
  type FormatFlags,
  type LimitFlags,
  resolveFormat,
} from "./options.ts";
import { isSwitchedOff, passInput } from "./pass-through.ts";
import { describeSize, startProgress } from "./progress.ts";
import { readStandardInput } from "./read-input.ts";

interface PipeFlags extends LimitFlags, FormatFlags {
  readonly name: string;
  readonly callId?: string;
  readonly command?: string;
}

/** `spillway pipe [options]` */
export function createPipeCommand(): Command {
  return addFormatOptions(addRedactOption(addLimitOptions(addProjectOptions(new Command("pipe")))))
    .description("Show standard input as a model should see it. Input over the limit is saved in full.")
    .addOption(new Option("--name <tool>", "tool name, used in limits and file names").default("pipe", "pipe"))
    .option("--call-id <id>", "id of the tool call, used in the file name (default: none)")
    .option("-c, --command <line>", "the command that printed it, for lists of what was saved (default: none)")
    .addHelpText(
      "after",
      "\nExamples:\n  $ make 2>&1 | spillway pipe --name make\n  $ kubectl get events | spillway pipe --max-bytes 8000 --format envelope",
    )
    .action((flags: PipeFlags) => pipe(flags));
}

async function pipe(flags: PipeFlags): Promise<void> {
  const format = resolveFormat(flags);
  if (isSwitchedOff()) return passInput();
  const { spillway, capture, summaryAsked } = await openGate(flags, {
    tool: flags.name,
    callId: flags.callId,
    commandLine: flags.command,
  });
  const started = performance.now();
  const progress = startProgress(() => describeSize(capture.size));
  const outcome = await readStandardInput((chunk) => capture.write(chunk));
  progress.stop();
  const governed = await capture.finish(outcome);
  const stats = { time_ms: Math.round(performance.now() - started) };
  await emit(governed, { format, root: spillway.root, params: { name: flags.name }, stats, summaryAsked });
  await spillway.flush();
  if (outcome.kind !== "success") process.exitCode = 1;
}
