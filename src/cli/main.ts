import type { Command } from "commander";
import { type CommandTable, runCommandLine } from "./command-line.ts";
import { FREQUENT } from "./frequent-commands.ts";

const COMMANDS: CommandTable = {
  run: FREQUENT.run,
  pipe: FREQUENT.pipe,
  preview: FREQUENT.preview,
  redact: {
    summary: "replace the secrets in a file or standard input, or just look for them",
    load: async () => (await import("./redact.ts")).createRedactCommand(),
  },
  artifacts: {
    summary: "list, read, search, verify and remove saved outputs",
    load: async () => (await import("./artifacts.ts")).createArtifactsCommand(),
  },
  store: {
    summary: "set up a bucket for artifacts, or upload what it missed",
    load: async () => (await import("./store.ts")).createStoreCommand(),
  },
  explore: {
    summary: "answer a question about a file, folder or artifact",
    load: async () => (await import("./explore.ts")).createExploreCommand(),
  },
  tool: { summary: "call one built-in tool", load: async () => (await import("./tool.ts")).createToolCommand() },
  agent: {
    summary: "run an agent whose history stays small",
    load: async () => (await import("./agent.ts")).createAgentCommand(),
  },
  sessions: {
    summary: "list, show, resume and repair agent sessions",
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
    summary: "add Spillway to the agents on this machine, or take it out again",
    load: async () => (await import("./init.ts")).createInitCommand(),
  },
  shell: FREQUENT.shell,
  hook: FREQUENT.hook,
  discover: {
    summary: "find errors that your agents hid from their models in past sessions",
    load: async () => (await import("./discover.ts")).createDiscoverCommand(),
  },
  stats: {
    summary: "show, per tool, how much was truncated and how much that saved",
    load: async () => (await import("./stats.ts")).createStatsCommand(),
  },
  ui: {
    summary: "open a local page that shows what the model saw of each output",
    load: async () => (await import("./ui.ts")).createUiCommand(),
  },
  config: {
    summary: "show the limits in force and where each one comes from",
    load: async () => (await import("./config.ts")).createConfigCommand(),
  },
  trust: {
    summary: "accept a project's spillway.yaml as your own configuration",
    load: async () => (await import("./trust.ts")).createTrustCommand(),
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

/** The command line. Sets the exit code instead of exiting, so that output is never cut. */
export function main(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, COMMANDS);
}
