import { z } from "zod";
import { closing } from "../artifacts/byte-source.ts";
import { formatPlural } from "../preview/omission.ts";
import { commandEnvironment } from "../process/command-environment.ts";
import { endStats, judgeEnd } from "../process/process-end.ts";
import { runProcess } from "../process/run-process.ts";
import { ToolFailure } from "../protocol/builder.ts";
import { isSecretName } from "../redact/environment-secrets.ts";
import { Redaction } from "../redact/redaction.ts";
import { defineTool } from "./registry/define-tool.ts";
import { directoryPath } from "./sandbox/sandbox.ts";

const BASH_TIMEOUT_MS = 120_000;
const BASH_MAX_TIMEOUT_MS = 3_600_000;
/** A command that does not end when asked to is ended in time for a call that is over within a second. */
const KILL_GRACE_MS = 300;

/** Settings that keep programs from waiting for somebody at a terminal. */
const QUIET = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
};

const NEXT_AFTER_TIMEOUT =
  "Its whole process group was ended; raise timeout_ms, or run it in the background with its output in a file.";
const NEXT_AFTER_HOLD = "Redirect the output of background processes to a file to read it later.";

/** Runs a shell command. */
export const bashTool = defineTool({
  name: "Bash",
  description: `Run a shell command without a terminal or input; returns its output (both streams in order) and exit code. Ended after ${BASH_TIMEOUT_MS / 1000} s unless timeout_ms says otherwise. Long output is saved and shown in part. Redirect the output of background processes.`,
  readOnly: false,
  parameters: z.strictObject({
    command: z.string().min(1).describe("Command line for the shell."),
    cwd: z.string().default(".").describe("Working directory, relative to the root."),
    timeout_ms: z.int().min(1).max(BASH_MAX_TIMEOUT_MS).default(BASH_TIMEOUT_MS),
    env: z.record(z.string(), z.string()).default({}).describe("Environment variables to add."),
  }),
  redact: (params) =>
    typeof params.env === "object" && params.env !== null
      ? { ...params, env: withoutSecrets(params.env) }
      : { ...params },
  async execute({ command, cwd, timeout_ms: timeoutMs, env }, run) {
    if (command.includes("\0")) throw new ToolFailure("INVALID_PARAM", "A command cannot hold a NUL character.");
    checkVariables(env);
    const directory = await run.sandbox.openDirectory(cwd);
    return closing(directory.handle, async () => {
      const capture = await run.capture({ commandLine: command });
      const { env: rules } = await run.environment.spillway.config();
      const end = await runProcess({
        command,
        cwd: directoryPath(directory.handle, directory.real),
        env: { ...commandEnvironment(process.env, rules), ...QUIET, PWD: directory.real, ...env },
        onChunk: (chunk) => capture.write(chunk),
        signal: run.signal,
        timeoutMs,
        killGraceMs: KILL_GRACE_MS,
      }).catch((error) => {
        throw (error as NodeJS.ErrnoException).code === "E2BIG" ? tooLong(command) : error;
      });
      const governed = await capture.finish(judgeEnd(end, { timeoutMs }));
      const printed = `printed ${formatPlural(governed.size.lines, "line")} (${formatPlural(governed.size.bytes, "byte")}).`;
      const { kind } = governed.outcome;
      return {
        governed,
        text: kind === "success" ? `The command ended with exit code 0. It ${printed}` : `The command ${printed}`,
        next: kind === "timeout" ? NEXT_AFTER_TIMEOUT : end.heldOpen ? NEXT_AFTER_HOLD : undefined,
        stats: endStats(end),
        cwd: directory.relative,
        pathResolved: directory.relative,
      };
    });
  },
});

/** Variables with a mark for values that are secret by their name, or look so. */
function withoutSecrets(env: object): Readonly<Record<string, unknown>> {
  const redaction = new Redaction();
  const marked = Object.entries(env).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "string") return [name, value] as const;
    return [name, isSecretName(name) ? "[redacted]" : redaction.text(value).text] as const;
  });
  return Object.fromEntries(marked);
}

/** The system's own complaint would repeat the value, which may be a secret. */
function checkVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (/^[^=\0]+$/.test(name) && !value.includes("\0")) continue;
    throw new ToolFailure("INVALID_PARAM", "A variable of env has a wrong name, or a NUL character in its value.", {
      next: "Give names without = and values without NUL.",
    });
  }
}

function tooLong(command: string): ToolFailure {
  return new ToolFailure("INVALID_PARAM", `The command and env are too long to start (${command.length} characters).`, {
    next: "Put it into a file with Write, and run that.",
  });
}
