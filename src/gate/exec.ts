import { invalidArgument } from "../errors.ts";
import { checkOptions, kinds } from "../limits/options.ts";
import { nameCommand, toolNameOf } from "../process/name-command.ts";
import { judgeEnd } from "../process/process-end.ts";
import { runProcess } from "../process/run-process.ts";
import { commandLineOf } from "./command-line.ts";
import { concludeProcess, type OpenCapture, PROCESS_CHECKS, unstartedProcess } from "./govern-process.ts";
import type { ExecOptions, ProcessResult } from "./types.ts";

const EXEC_CHECKS = { ...PROCESS_CHECKS, cwd: kinds.text, env: kinds.object, input: kinds.any };

/** Runs a program with arguments, or a shell line, and bounds its output. Rejects only for invalid arguments. */
export async function exec(
  open: OpenCapture,
  command: string,
  args: readonly string[] | undefined,
  options: ExecOptions,
): Promise<ProcessResult> {
  checkOptions(options, EXEC_CHECKS, "exec()");
  if (typeof command !== "string" || command.trim() === "") throw invalidArgument("exec() needs a command.");
  const { cwd, env, input, timeoutMs, ...rest } = options;
  const [capture, clean] = await open({
    tool: toolNameOf(command),
    commandLine: args === undefined ? command : commandLineOf([command, ...args]),
    ...rest,
  });
  const named = nameCommand(clean([command, ...(args ?? [])].join(" ")));
  try {
    const end = await runProcess({
      ...(args === undefined ? { command } : { argv: [command, ...args] }),
      cwd,
      env: env && { ...process.env, ...env },
      stdin: input === undefined ? "ignore" : Buffer.from(input as string),
      onChunk: (chunk) => capture.write(chunk),
      signal: options.signal,
      timeoutMs,
    });
    return concludeProcess(await capture.finish(judgeEnd(end, { command: named, timeoutMs })), end);
  } catch (thrown) {
    return unstartedProcess(capture, command, thrown);
  }
}
