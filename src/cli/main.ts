import type { Command } from "commander";
import { isSpillwayError } from "../errors.ts";
import { VERSION } from "../version.ts";

interface CommandEntry {
  readonly summary: string;
  /** Loads only this command, so that none pays for the others at start. */
  readonly load: () => Promise<Command>;
}

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  run: {
    summary: "run a command and show its output bounded",
    load: async () => (await import("./run.ts")).createRunCommand(),
  },
  pipe: { summary: "the same for standard input", load: async () => (await import("./pipe.ts")).createPipeCommand() },
  preview: {
    summary: "only the preview of a file or standard input; nothing is saved",
    load: async () => (await import("./preview.ts")).createPreviewCommand(),
  },
  artifacts: {
    summary: "list, read, search, verify and remove saved outputs",
    load: async () => (await import("./artifacts.ts")).createArtifactsCommand(),
  },
  explore: {
    summary: "answer a question about a file, folder or artifact",
    load: async () => (await import("./explore.ts")).createExploreCommand(),
  },
  tool: { summary: "call one built-in tool", load: async () => (await import("./tool.ts")).createToolCommand() },
  agent: {
    summary: "run an agent whose history cannot blow up",
    load: async () => (await import("./agent.ts")).createAgentCommand(),
  },
  sessions: {
    summary: "list, show and resume agent sessions",
    load: async () => (await import("./sessions.ts")).createSessionsCommand(),
  },
  proxy: {
    summary: "bound the results of any MCP server",
    load: async () => (await import("./proxy.ts")).createProxyCommand(),
  },
  mcp: {
    summary: "serve the built-in tools over MCP",
    load: async () => (await import("./mcp.ts")).createMcpCommand(),
  },
  init: {
    summary: "put Spillway into the agents on this machine",
    load: async () => (await import("./init.ts")).createInitCommand(),
  },
  shell: {
    summary: "run a shell line as an agent's shell tool does, with Spillway below it",
    load: async () => (await import("./shell.ts")).createShellCommand(),
  },
  stats: {
    summary: "truncation rate and reduction per tool",
    load: async () => (await import("./stats.ts")).createStatsCommand(),
  },
  config: {
    summary: "the limits in force and where each comes from",
    load: async () => (await import("./config.ts")).createConfigCommand(),
  },
  completion: {
    summary: "print a completion script for bash, zsh or fish",
    load: async () => (await import("./completion.ts")).createCompletionCommand(loadAll),
  },
  doctor: {
    summary: "check that this machine has what Spillway needs",
    load: async () => (await import("./doctor.ts")).createDoctorCommand(),
  },
};

/** Every command that a user may type, by name. */
async function loadAll(): Promise<ReadonlyMap<string, Command>> {
  const loaded = Object.entries(COMMANDS).map(async ([name, { load }]) => [name, await load()] as const);
  return new Map(await Promise.all(loaded));
}

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const USAGE_CODES = new Set(["INVALID_ARGUMENT", "INVALID_LIMIT", "INVALID_CONFIG"]);

/** The command line. Sets the exit code instead of exiting, so that output is never cut. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", ignoreClosedPipe);
  process.stderr.on("error", ignoreClosedPipe);
  const [name, ...rest] = argv.slice(2);
  try {
    if (name === undefined || name === "--help" || name === "-h" || (name === "help" && rest.length === 0)) {
      process.stdout.write(rootHelp());
      return;
    }
    if (name === "--version" || name === "-v" || name === "-V") {
      process.stdout.write(`${VERSION}\n`);
      return;
    }
    if (name === "help") return await runCommand(rest[0] ?? "", ["--help"]);
    await runCommand(name, rest);
  } catch (error) {
    report(error);
  }
}

async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const close = Object.keys(COMMANDS).filter((known) => known.startsWith(name.slice(0, 2)));
    const hint = close.length > 0 ? ` Did you mean ${close.join(" or ")}?` : " See spillway --help.";
    fail(`unknown command ${JSON.stringify(name)}.${hint}`, EXIT_USAGE);
    return;
  }
  const command = await entry.load();
  prepare(command, `spillway ${name}`);
  await command.parseAsync([...args], { from: "user" });
}

/** Names the command in full and turns commander's own exits into errors that `report` words. */
function prepare(command: Command, name: string): void {
  command
    .name(name)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .showHelpAfterError(false);
  for (const sub of command.commands) {
    sub.exitOverride().configureOutput({ outputError: () => undefined });
  }
}

function report(error: unknown): void {
  if (isCommanderExit(error)) {
    if (error.exitCode !== 0 || !/help|version/i.test(error.code))
      fail(error.message.replace(/^error: /, ""), EXIT_USAGE);
    return;
  }
  const usage = isSpillwayError(error) && USAGE_CODES.has(error.code);
  const message = error instanceof Error ? error.message : String(error);
  const detail = process.env.SPILLWAY_DEBUG && error instanceof Error ? error.stack : undefined;
  fail(detail ?? message, usage ? EXIT_USAGE : EXIT_FAILED);
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`spillway: ${message}\n`);
  process.exitCode = exitCode;
}

function isCommanderExit(error: unknown): error is { code: string; exitCode: number; message: string } {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("commander.")
  );
}

/** A reader that went away, such as `head`, is no failure of ours. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function rootHelp(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Spillway ${VERSION}: tool results small enough for the model, no byte lost.

Usage: spillway <command> [options]

Commands:
${rows.join("\n")}

Examples:
  spillway run -- npm test                     run it; see at most 2,000 lines and 50 KB
  cat build.log | spillway pipe --name make    bound any output
  spillway artifacts grep "error" ID           search what was saved
  spillway proxy -- npx some-mcp-server        bound an MCP server's results

spillway <command> --help explains each, spillway -v prints the version. Exit codes: the command's own for run, 0 ok, 1 not found or failed, 2 usage.
`;
}
