import { constants } from "node:os";
import { Command } from "commander";
import { SpillwayError } from "../errors.ts";
import { createSpillway } from "../gate/spillway.ts";
import type { Outcome } from "../gate/types.ts";
import { type ProcessEnd, runProcess } from "../tools/process.ts";
import { emit, shellHint, writeOut } from "./emit.ts";
import {
  addLimitOptions,
  type LimitFlags,
  parseFormat,
  resolveLimitFlags,
  resolveRoot,
  tokenCounterFor,
} from "./options.ts";
import { startProgress } from "./progress.ts";

interface RunFlags extends LimitFlags {
  readonly command?: string;
  readonly format: string;
  readonly name?: string;
  readonly callId?: string;
  readonly timeout?: string;
  readonly raw?: boolean;
}

const EXIT_TIMEOUT = 124;
const EXIT_CANNOT_RUN = 126;
const EXIT_NO_COMMAND = 127;
const FORWARDED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** `spillway run [options] -- CMD ARGS…` */
export function createRunCommand(): Command {
  return addLimitOptions(new Command("run"))
    .description(
      "Run a command, show its output bounded as a model should see it, and save all of it when it is over the limit.",
    )
    .usage("[options] -- CMD ARGS…")
    .argument("[argv...]", "the command and its arguments")
    .passThroughOptions()
    .option("-c, --command <line>", "run a line in the shell instead")
    .option("--format <format>", "text, envelope or wrapper", "text")
    .option("--name <tool>", "the tool's name in limits and file names (default: the command's)")
    .option("--call-id <id>", "id of the tool call, part of the file name")
    .option("--timeout <seconds>", "end the command after this time; exit code 124")
    .option("--raw", "pass the output through untouched; only save what is over the limit")
    .addHelpText("after", EXAMPLES)
    .action((argv: string[], flags: RunFlags) => run(argv, flags));
}

const EXAMPLES = `
Examples:
  $ spillway run -- npm test
  $ spillway run --max-bytes 8000 --query "why does the build fail" -- make -j4
  $ spillway run -c "npm run build && npm test"
  $ spillway run --raw -- pg_dump shop | psql copy

The exit code is the command's own (128+n when a signal ended it). Both streams come in arrival order.`;

async function run(argv: string[], flags: RunFlags): Promise<void> {
  const format = parseFormat(flags.format);
  const limits = resolveLimitFlags(flags);
  const timeoutMs = flags.timeout === undefined ? undefined : parseSeconds(flags.timeout);
  const [program, ...args] = argv;
  if ((program === undefined) === (flags.command === undefined)) {
    throw new SpillwayError("INVALID_ARGUMENT", "run takes a command after -- or a shell line with -c, and not both.");
  }
  const spillway = createSpillway({
    ...resolveRoot(flags),
    surface: "cli",
    defaultStrategy: "smart",
    hint: shellHint(flags),
    countTokens: await tokenCounterFor(limits),
  });
  const tool = flags.name ?? toolNameOf(program ?? flags.command ?? "");
  const capture = await spillway.capture({ ...limits, tool, callId: flags.callId, query: flags.query });
  const progress = startProgress(() => capture.size);
  const started = performance.now();
  const onChunk = (chunk: Uint8Array): Promise<void> | undefined => {
    const stored = capture.write(chunk);
    if (flags.raw !== true) return stored;
    return Promise.all([stored, writeOut(chunk)]).then(() => undefined);
  };
  let end: ProcessEnd;
  try {
    end = await runForwarding({
      ...(program === undefined ? { command: flags.command } : { argv: [program, ...args] }),
      onChunk,
      timeoutMs,
    });
  } catch (error) {
    progress.stop();
    reportUnstartable(program ?? "the shell", error);
    return;
  }
  progress.stop();
  const governed = await capture.finish(outcomeOf(end, timeoutMs));
  if (flags.raw === true) {
    if (governed.kind === "bounded") process.stderr.write(`spillway: ${governed.hint}\n`);
  } else {
    const stats = {
      time_ms: Math.round(performance.now() - started),
      ...(end.exitCode === null ? { signal: end.signal ?? "" } : { exit_code: end.exitCode }),
    };
    const text = `${tool} ${sayEnd(end)}.`;
    await emit(governed, { format, root: spillway.root, params: { command: flags.command ?? argv }, stats, text });
  }
  if (end.timedOut) process.stderr.write(`spillway: ended after ${flags.timeout} s (--timeout).\n`);
  await spillway.flush();
  process.exitCode = end.timedOut ? EXIT_TIMEOUT : exitCodeOf(end);
}

/** Runs the child on our terminal and hands signals on to it; Ctrl-C reaches it by itself there. */
async function runForwarding(options: Parameters<typeof runProcess>[0]): Promise<ProcessEnd> {
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  const forward = (signal: NodeJS.Signals): void => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    return await runProcess({
      ...options,
      stdin: "inherit",
      ownSession: false,
      onSpawn: (child) => (kill = (signal) => child.kill(signal)),
    });
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

function outcomeOf(end: ProcessEnd, timeoutMs: number | undefined): Outcome {
  if (end.timedOut) return { kind: "timeout", message: `ended after ${timeoutMs} ms` };
  if (end.exitCode === null) return { kind: "failure", message: `ended by ${end.signal}` };
  return end.exitCode === 0 ? { kind: "success" } : { kind: "failure", message: `exit code ${end.exitCode}` };
}

function sayEnd(end: ProcessEnd): string {
  return end.exitCode === null ? `was ended by ${end.signal}` : `ended with exit code ${end.exitCode}`;
}

function exitCodeOf(end: ProcessEnd): number {
  if (end.exitCode !== null) return end.exitCode;
  return 128 + (end.signal === null ? 0 : constants.signals[end.signal]);
}

function reportUnstartable(program: string, error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code;
  const why =
    code === "ENOENT"
      ? "no such command"
      : code === "EACCES"
        ? "permission denied"
        : error instanceof Error
          ? error.message
          : String(error);
  process.stderr.write(`spillway: cannot run ${JSON.stringify(program)}: ${why}.\n`);
  process.exitCode = code === "ENOENT" ? EXIT_NO_COMMAND : EXIT_CANNOT_RUN;
}

function toolNameOf(command: string): string {
  return command.trim().split(/\s/, 1)[0]?.split(/[\\/]/).at(-1) || "run";
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw new SpillwayError(
    "INVALID_ARGUMENT",
    `--timeout must be a number of seconds above 0, not ${JSON.stringify(text)}.`,
  );
}
