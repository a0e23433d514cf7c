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
  readonly cwd?: string;
}

/** `spillway shell --host NAME -c LINE`, and what its front in sh calls once an output is over the host's limit. */
export function createShellCommand(): Command {
  return new Command("shell")
    .description("Run a shell line as a host's shell tool would with Spillway below it: small output as it is.")
    .requiredOption("--host <name>", "the agent whose limits and tools count (required)")
    .option("-c, --command <line>", "the line to run with bash, or sh where there is none (default: none)")
    .option("--adopt <file>", "show a finished output instead, and keep this file as the artifact (default: none)")
    .addOption(new Option("--code <n>", "exit code of the command that wrote it").default("0", "0"))
    .option("--most <bytes>", "most bytes to show (default: the host's limit)")
    .addOption(new Option("--shown <bytes>", "bytes that were passed on before").default("0", "0"))
    .addOption(
      new Option("--lost <0|1>", "1 when not all of the output could be written to the file").default("0", "0"),
    )
    .option("--tool <name>", "the tool's name in the artifact's name (default: the host's shell tool)")
    .option("--query <text>", "what the reader wants to know (default: none)")
    .option("--cwd <dir>", "folder the command ran in (default: the working directory)")
    .action(async (flags: ShellFlags) => {
      if ((flags.adopt === undefined) === (flags.command === undefined))
        throw invalidArgument("shell takes a line with -c, or a file with --adopt.");
      const { adoptOutput, runThroughFront } = await import("./shell/shell-front.ts");
      if (flags.adopt === undefined) return runThroughFront(flags.host, flags.command ?? "");
      await adoptOutput({
        host: flags.host,
        file: flags.adopt,
        exitCode: Number(flags.code),
        maxBytes: flags.most === undefined ? undefined : Number(flags.most),
        shownBytes: Number(flags.shown),
        lost: flags.lost === "1",
        tool: flags.tool,
        query: flags.query,
        cwd: flags.cwd,
      });
    });
}
