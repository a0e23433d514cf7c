import { Command, Option } from "commander";
import { invalidArgument } from "../errors.ts";

interface ShellFlags {
  readonly host: string;
  readonly command?: string;
  readonly adopt?: string;
  readonly code?: string;
  readonly most?: string;
  readonly shown?: string;
  readonly lost?: string;
  readonly tool?: string;
  readonly query?: string;
  readonly line?: string;
  readonly cwd?: string;
}

/** `spillway shell --host NAME -c LINE`, and the command that the shell wrapper calls for an output over the host's limit. */
export function createShellCommand(): Command {
  return new Command("shell")
    .description("Run a line as an agent's shell tool does once Spillway is in it. Small output stays as it is.")
    .requiredOption("--host <name>", "agent whose limits and tools apply (required)")
    .option("-c, --command <line>", "line to run, with bash or else sh (default: none)")
    .option("--adopt <file>", "show a finished output instead, and keep its file as the artifact (default: none)")
    .addOption(new Option("--code <n>", "with --adopt: exit code of the command").default("0", "0"))
    .option("--most <bytes>", "most bytes to show (default: the agent's limit)")
    .addOption(new Option("--shown <bytes>", "with --adopt: bytes shown already").default("0", "0"))
    .addOption(
      new Option("--lost <0|1>", "with --adopt: 1 if the file does not hold all of the output").default("0", "0"),
    )
    .option("--tool <name>", "tool name in the artifact's name (default: the agent's shell tool)")
    .option("--query <text>", "what the reader wants to know (default: nothing)")
    .option("--line <line>", "with --adopt: the command that printed it (default: none)")
    .option("--cwd <dir>", "folder that the command ran in (default: the working directory)")
    .action(async (flags: ShellFlags) => {
      if ((flags.adopt === undefined) === (flags.command === undefined))
        throw invalidArgument("shell takes a line with -c, or a file with --adopt.");
      const { adoptOutput, runWrapped } = await import("./shell/adopt-output.ts");
      if (flags.adopt === undefined) return runWrapped(flags.host, flags.command ?? "");
      await adoptOutput({
        host: flags.host,
        file: flags.adopt,
        exitCode: Number(flags.code),
        maxBytes: flags.most === undefined ? undefined : Number(flags.most),
        shownBytes: Number(flags.shown),
        lost: flags.lost === "1",
        tool: flags.tool,
        query: flags.query,
        line: flags.line,
        cwd: flags.cwd,
      });
    });
}
