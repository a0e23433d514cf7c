import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { commandLineOf } from "../gate/command-line.ts";
import type { Storage } from "../gate/types.ts";
import { nameCommand, toolNameOf } from "../process/name-command.ts";
import { describeUnstartable, endStats, exitCodeOf, judgeEnd, type ProcessEnd } from "../process/process-end.ts";
import { type RunningChild, runProcess } from "../process/run-process.ts";
import { emit, showLive, tellEnding, writeRaw } from "./emit.ts";
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
import { isSwitchedOff, passThrough } from "./pass-through.ts";
import { describeSize, startProgress } from "./progress.ts";
import { tell } from "./terminal.ts";

interface RunFlags extends LimitFlags, FormatFlags {
  readonly command?: string;
  readonly name?: string;
  readonly callId?: string;
  readonly timeout?: string;
  readonly raw?: boolean;
  readonly stream?: boolean;
}

const FORWARDED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** `spillway run [options] -- CMD ARGS…` */
export function createRunCommand(): Command {
  return addFormatOptions(addRedactOption(addLimitOptions(addProjectOptions(new Command("run")))))
    .description("Run a command and show its output as a model should see it. Output over the limit is saved in full.")
    .usage("[options] -- CMD ARGS…")
    .argument("[argv...]", "the command and its arguments")
    .passThroughOptions()
    .option("-c, --command <line>", "run a shell line instead (default: the command after --)")
    .option("--name <tool>", "tool name, used in limits and file names (default: the command's)")
    .option("--call-id <id>", "id of the tool call, used in the file name (default: none)")
    .option(
      "--timeout <seconds>",
      "end the command and everything it started after this long, with exit code 124 (default: never)",
    )
    .option("--stream", "show the output while it comes, up to the limit (default: on a terminal)")
    .option("--no-stream", "show nothing before the command has ended")
    .option("--raw", "pass the output through untouched, but save it when it is over the limit")
    .addHelpText("after", EXAMPLES)
    .action((argv: string[], flags: RunFlags) => run(argv, flags));
}

const EXAMPLES = `
Examples:
  $ spillway run -- npm test
  $ spillway run --max-bytes 8000 --query "why does the build fail" -- make -j4
  $ spillway run -c "npm run build && npm test"
  $ spillway run --raw -- pg_dump shop | psql copy

The exit code is the command's own (128+n if a signal ended it). Both streams are shown in the order they were written.`;

async function run(argv: string[], flags: RunFlags): Promise<void> {
  const format = resolveFormat(flags);
  const timeoutMs = flags.timeout === undefined ? undefined : parseSeconds(flags.timeout);
  const [program, ...args] = argv;
  if ((program === undefined) === (flags.command === undefined)) {
    throw invalidArgument(
      "run takes either a command, spillway run -- CMD ARGS…, or a shell line, spillway run -c LINE.",
    );
  }
  if (flags.stream === true && (format !== "text" || flags.raw === true))
    throw invalidArgument(`--stream and ${flags.raw === true ? "--raw" : `--format ${format}`} contradict each other.`);
  if (isSwitchedOff()) return runPlainly(program ?? flags.command!, args, program === undefined);
  const tool = flags.name ?? toolNameOf(program ?? flags.command ?? "");
  const { spillway, capture, clean, summaryAsked } = await openGate(flags, {
    tool,
    callId: flags.callId,
    commandLine: flags.command ?? commandLineOf(argv),
  });
  const params = { command: flags.command === undefined ? argv.map(clean) : clean(flags.command) };
  let progress = { stop: () => {} };
  const watch = (): void => {
    progress = startProgress(() => describeSize(capture.size));
  };
  const streams = format === "text" && flags.raw !== true && (flags.stream ?? process.stdout.isTTY);
  const live = streams ? showLive(capture, watch) : watch();
  const started = performance.now();
  const child = forwardSignals();
  const redactor = flags.raw === true ? (await spillway.redaction())?.stream() : undefined;
  const pass = async (chunk: Uint8Array): Promise<void> => {
    const [taken] = await Promise.all([writeAll(redactor?.write(chunk) ?? [chunk]), capture.write(chunk)]);
    // As in a pipeline: a command whose reader has gone is told so, or it would run on and fill the disk.
    if (!taken) child.kill("SIGPIPE");
  };
  let end: ProcessEnd;
  try {
    end = await runProcess({
      ...(program === undefined ? { command: flags.command } : { argv: [program, ...args] }),
      onChunk: flags.raw === true ? pass : (chunk) => capture.write(chunk),
      timeoutMs,
      stdin: "inherit",
      ownSession: false,
      onSpawn: child.attach,
    });
  } catch (error) {
    const failure = describeUnstartable(clean(program ?? "the shell"), error);
    if (format === "text") tell(failure.error.message);
    else {
      const nothing = await capture.finish({ kind: "failure", message: failure.error.message });
      const stats = { time_ms: Math.round(performance.now() - started), exit_code: failure.exitCode };
      const next = "Check its name and that it is installed, then call again.";
      await emit(nothing, { format, root: spillway.root, params, stats, next, error: failure.error });
    }
    process.exitCode = failure.exitCode;
    return;
  } finally {
    progress.stop();
    child.detach();
  }
  if (redactor !== undefined) await writeAll(redactor.end());
  const outcome = judgeEnd(end, { command: nameCommand(clean(flags.command ?? argv.join(" "))), timeoutMs });
  const governed = await capture.finish(outcome);
  const stats = { time_ms: Math.round(performance.now() - started), ...endStats(end) };
  if (flags.raw !== true) {
    if (governed.kind === "bounded") await live?.endLine();
    await emit(governed, { format, root: spillway.root, params, stats, summaryAsked, shown: live !== undefined });
  } else {
    if (governed.kind === "bounded") tell(describeSaved(governed.storage));
    tellEnding(outcome);
  }
  await spillway.flush();
  process.exitCode = exitCodeOf(end);
}

/** False when nobody reads any more. */
async function writeAll(parts: readonly Uint8Array[]): Promise<boolean> {
  for (const part of parts) if (!(await writeRaw(part))) return false;
  return true;
}

async function runPlainly(program: string, args: readonly string[], shell: boolean): Promise<void> {
  try {
    await passThrough(program, args, { shell });
  } catch (error) {
    const failure = describeUnstartable(program, error);
    tell(failure.error.message);
    process.exitCode = failure.exitCode;
  }
}

/** What became of an output that was passed through whole. */
function describeSaved(storage: Storage): string {
  if ("lost" in storage) return `the output is over the limit, but could not be saved: ${storage.lost}.`;
  return `the output is over the limit. Full output saved to: ${storage.artifact.path}`;
}

/** Hands signals on to a child and all that it started; Ctrl-C on our terminal reaches them by itself. */
function forwardSignals() {
  let running: RunningChild | undefined;
  const forward = (signal: NodeJS.Signals): void => {
    running?.interrupt(signal === "SIGINT" && process.stdin.isTTY ? "seen" : signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return {
    attach: (child: RunningChild) => {
      running = child;
    },
    kill: (signal: NodeJS.Signals) => running?.kill(signal),
    detach: () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    },
  };
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw invalidArgument(`--timeout must be a number of seconds above 0, not ${JSON.stringify(text)}.`);
}
