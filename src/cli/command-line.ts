import type { Command, CommanderError } from "commander";
import { invalidArgument, isSpillwayError, messageOf } from "../errors.ts";
import { withinEnvironment } from "../telemetry/telemetry.ts";
import { VERSION } from "../version.ts";
import { tell } from "./terminal.ts";

/** As far to the right as a column of descriptions may begin, as a share of the width. */
const COLUMN_SHARE = 0.65;

/** Lines no longer than `width`, broken between words; what follows a line stands below its description. */
export function foldHelp(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => foldLine(line, width))
    .join("\n");
}

function foldLine(line: string, width: number): string[] {
  const column = /^\s*\S.*?\S {2,}(?=\S)/.exec(line)?.[0].length ?? Number.POSITIVE_INFINITY;
  const described = column <= width * COLUMN_SHARE;
  const indent = line.length - line.trimStart().length;
  const hang = " ".repeat(described ? column : indent === 0 || indent > 10 ? indent : indent + 2);
  // A shell line goes on behind a backslash.
  const end = !described && /^ +(?:\$ )?(?:spillway|npx|cat|make|kubectl) /.test(line) ? " \\" : "";
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(" ", width - end.length);
    if (at <= hang.length) break;
    lines.push(rest.slice(0, at).trimEnd() + end);
    rest = hang + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

interface CommandEntry {
  readonly summary: string;
  /** Loads only this command, so that none pays for the others at start. */
  readonly load: () => Promise<Command>;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const USAGE_CODES = new Set(["INVALID_ARGUMENT", "INVALID_LIMIT", "INVALID_CONFIG"]);

/** Runs what the arguments ask for. Sets the exit code instead of exiting, so that output is never cut. */
export async function runCommandLine(argv: readonly string[], commands: CommandTable): Promise<void> {
  process.stdout.on("error", reportUnwritten);
  // There is nobody left to tell.
  process.stderr.on("error", () => undefined);
  const [name, ...rest] = argv.slice(2);
  try {
    if (name === undefined || name === "--help" || name === "-h" || (name === "help" && rest.length === 0)) {
      process.stdout.write(foldHelp(rootHelp(commands), helpWidth()));
      return;
    }
    if (name === "--version" || name === "-v" || name === "-V") {
      process.stdout.write(`${VERSION}\n`);
      return;
    }
    if (name === "help") return await runCommand(commands, rest[0] ?? "", ["--help"]);
    await withinEnvironment(process.env, () => runCommand(commands, name, rest));
  } catch (error) {
    // To the agents that ask, an exit code other than 0 can mean that the call is refused.
    if (name !== "hook") report(error);
  }
}

async function runCommand(commands: CommandTable, name: string, args: readonly string[]): Promise<void> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    if (name.startsWith("-"))
      return fail(
        `options stand after the command: spillway COMMAND ${name}. "spillway --help" lists the commands.`,
        EXIT_USAGE,
      );
    const { guessName } = await import("../limits/near-name.ts");
    const hint = guessName(name, Object.keys(commands));
    fail(`unknown command ${JSON.stringify(name)}.${hint} "spillway --help" lists the commands.`, EXIT_USAGE);
    return;
  }
  const command = await entry.load();
  prepare(command, `spillway ${name}`);
  await command.parseAsync([...args], { from: "user" });
}

/** Names the command in full and turns commander's own exits into errors that `report` words. */
function prepare(command: Command, name: string): void {
  command.name(name).showHelpAfterError(false);
  wordErrors(command, name);
  for (const sub of command.commands) wordErrors(sub, `${name} ${sub.name()}`);
}

/** Turns commander's own exits into errors that say what the command takes, and its help into lines of the terminal's width. */
function wordErrors(command: Command, name: string): void {
  command
    .configureOutput({
      outputError: () => undefined,
      writeOut: (text) => process.stdout.write(foldHelp(text, helpWidth())),
    })
    .exitOverride((error) => {
      if (error.exitCode === 0 && /help|version/i.test(error.code)) throw error;
      throw invalidArgument(sayUsage(error, command, name));
    });
}

function helpWidth(): number {
  return process.stdout.columns || 80;
}

function report(error: unknown): void {
  if (isCommanderExit(error)) return;
  const usage = isSpillwayError(error) && USAGE_CODES.has(error.code);
  const message = messageOf(error);
  const detail = process.env.SPILLWAY_DEBUG && error instanceof Error ? error.stack : undefined;
  fail(detail ?? message, usage ? EXIT_USAGE : EXIT_FAILED);
}

/** What commander says, on one line, and how to go on. */
function sayUsage({ code, message }: CommanderError, command: Command, name: string): string {
  const said = message.replace(/^error: /, "").replaceAll("\n", " ");
  const help = `"${name} --help" explains it.`;
  const missing = code === "commander.missingArgument" ? /'(.*)'/.exec(said)?.[1] : undefined;
  const argument = command.registeredArguments.find((each) => each.name().replace(/\.{3}$/, "") === missing);
  if (argument === undefined) return `${said}. ${help}`;
  const usage = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  return `<${missing}> is missing: ${argument.description}. Usage: ${name} ${usage.join(" ")}. ${help}`;
}

function fail(message: string, exitCode: number): void {
  tell(message);
  process.exitCode = exitCode;
}

function isCommanderExit(error: unknown): error is { code: string; exitCode: number; message: string } {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("commander.")
  );
}

/** A reader that went away, such as `head`, is no failure of ours; an output that cannot be written is, whatever else ended well. */
async function reportUnwritten(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code === "EPIPE") return;
  process.once("exit", (code) => {
    process.exitCode = code || EXIT_FAILED;
  });
  const { plainReason } = await import("../artifacts/store-failure.ts");
  tell(`cannot write to standard output: ${plainReason(error)}.`);
}

function rootHelp(commands: CommandTable): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Spillway ${VERSION}: tool results small enough for the model, no byte lost.

Usage: spillway COMMAND [options]

Commands:
${rows.join("\n")}

Examples:
  spillway run -- npm test                     show at most 2,000 lines and 50 KB of it
  cat build.log | spillway pipe --name make    the same for any output
  spillway artifacts grep error latest         search what was saved last
  spillway proxy -- npx some-mcp-server        bound an MCP server's results

"spillway COMMAND --help" explains a command, "spillway -v" prints the version.
Exit codes: the command's own for run; otherwise 0 ok, 1 not found or failed, 2 wrong usage.
`;
}
