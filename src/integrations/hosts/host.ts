import { homedir } from "node:os";
import { join } from "node:path";
import type { LineArgs } from "../../gate/reader.ts";
import { userFolder } from "../../platform/folders.ts";
import type { McpClient } from "../mcp-shared/mcp-client.ts";

/** How a host's file names an MCP server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where a host keeps its MCP servers. */
export interface McpPlace {
  /** The limits of its MCP client; undefined if not measured. */
  readonly client?: McpClient;
  readonly format: "json" | "toml";
  /** The object or table that holds the servers. */
  readonly section: string;
  /** File below the project's root; undefined if the host has only a user file. */
  readonly projectFile?: string;
  readonly userFile: () => string;
  readonly render: (entry: ServerEntry) => Readonly<Record<string, unknown>>;
}

/** How the host's shell tool is wrapped below its permission rules. The approved text stays unchanged. */
export type ShellPlace =
  | {
      /** The host starts this program as `PROGRAM -c LINE`, or the user's own shell if the program is missing. */
      readonly by: "shell";
      readonly settings: () => string;
      readonly projectSettings: string;
      readonly section: string;
      readonly key: string;
      /** Holds the program. It lies with the settings, so that running agents do not depend on the data folder. */
      readonly programFolder: () => string;
      /** Earlier versions set this instead: a program that gets the whole line as its one argument. */
      readonly formerKey: string;
      /** Only a line of the shell tool has this in it. */
      readonly lineHolds: string;
    }
  | {
      /** Bash reads this file before the line; set in a table of the host's TOML file. */
      readonly by: "bash-env-toml";
      readonly settings: () => string;
      readonly section: string;
      readonly key: string;
      /** How a frame of the host begins. A frame only starts the line, which is wrapped instead. */
      readonly frame: string;
      /** Other variables to set, unless the user has set them. */
      readonly besides: Readonly<Record<string, string>>;
    }
  | {
      /**
       * The same, set in a `.env` file that the host loads for itself and all it starts. The host reads only the first
       * such file that it finds: one that does not exist is never created, because it would hide the user's others, and
       * where another one comes first the hook does the work.
       */
      readonly by: "bash-env-dotenv";
      readonly envFile: () => string;
      /** A shell condition that holds only for lines of the shell tool; the line is `$BASH_EXECUTION_STRING`. */
      readonly recognise: string;
    }
  | {
      /** The same, set by the user when starting the host; `init` prints the line. */
      readonly by: "launcher";
      readonly program: string;
    }
  | {
      /** The same, given to each line of the shell tool by the plugin that replaces results. */
      readonly by: "plugin";
    };

/** How results of the host's other tools are replaced. */
export type ResultsPlace =
  | {
      /** A file of ours that the host loads into itself. */
      readonly by: "plugin";
      readonly userFile: () => string;
      readonly kind: "opencode" | "pi";
    }
  | {
      /** A program that the host runs after a tool, in the lists `hooks.EVENT` of its settings. */
      readonly by: "hook";
      readonly events: readonly string[];
      readonly settings: () => string;
      readonly projectSettings?: string;
      /** The tools, in the syntax of the host's settings. */
      readonly matcher: string;
      /** The same, for hosts that ignore the matcher. */
      readonly tools: RegExp;
      readonly answer: HookAnswer;
      /** How a result that the host has saved to a file can be recognized, and how it names the file (group 1). */
      readonly saved?: {
        readonly phrase: string;
        readonly path: RegExp;
        /** Such a text, to try the hook with. */
        readonly example: (file: string) => string;
      };
      /** The host's own text after an output. */
      readonly ending?: RegExp;
      /** How its settings write a hook. @default `{ matcher, hooks: [{ type, command, timeout }] }` */
      readonly entry?: (command: string) => unknown;
      /** In the unit of the host's settings. */
      readonly timeout: number;
      /** The shell tool's text around an output, for hosts whose hooks get both. */
      readonly frame?: { readonly head: RegExp; readonly tail: RegExp };
      /** Limit of the text that the hook adds. @default the host's */
      readonly maxBytes?: number;
    };

/**
 * How a hook's answer reaches the model: `updated-output` replaces the result in its own shape, `modified-result` as one
 * text, `tail-call` has the host read a file instead, `add-context` appends to what the host shows itself.
 */
export type HookAnswer = "updated-output" | "modified-result" | "tail-call" | "add-context";

export type HookPlace = Extract<ResultsPlace, { by: "hook" }>;
export type PluginPlace = Extract<ResultsPlace, { by: "plugin" }>;

/** How a host itself cuts a long result. Savings are measured against this cut. */
export interface OwnCut {
  /** Results over this are cut; characters count as bytes here. */
  readonly overBytes: number;
  /** The same for lines. @default any number */
  readonly overLines?: number;
  /** What is left of them, including the host's own text. */
  readonly leavesBytes: number;
}

/** One agent: what it shows, reads and allows, and where its files are. */
export interface Host {
  readonly name: string;
  readonly title: string;
  /** Exists if the host is installed. */
  readonly folder: () => string;
  /** Most bytes of a result, notice included: below the host's own cut, which differs for failures. */
  readonly maxBytes: { readonly success: number; readonly failure: number };
  /** How the host itself cuts a longer result; undefined if not measured. */
  readonly ownCut?: { readonly success: OwnCut; readonly failure: OwnCut };
  /** The host's tools that can read an artifact. */
  readonly readers: readonly string[];
  /** How its reader names lines. @default offset from 1, and limit */
  readonly lineArgs?: LineArgs;
  /** Its shell tool, for artifacts that the readers refuse. */
  readonly shellTool?: string;
  /** Its own reader refuses larger files and longer lines. */
  readonly largestRead: { readonly fileBytes: number; readonly lineBytes: number };
  /** Where it may both write and read: below the project's root, or in the user's state folder. */
  readonly artifacts: "project" | "user";
  /** How long a command may run before its first output is passed on: up to half of what the host may see. */
  readonly patienceMs: number;
  /** The same for the first quarter, for hosts that look at a command before it ends. @default patienceMs */
  readonly earlyMs?: number;
  /** It ends a command that prints nothing for so long. */
  readonly idleMs?: number;
  /** For a failed command it shows only standard error, and the exit code if there is any. */
  readonly errorsOnly?: true;
  /** `wrap` if every command has a terminal. Otherwise a terminal is requested, and the command runs plainly. @default "plain" */
  readonly terminal?: "plain" | "wrap";
  readonly mcp?: McpPlace;
  readonly shell?: ShellPlace;
  readonly results?: ResultsPlace;
  /** The settings whose `context.includeDirectories` lets its reader read saved outputs. */
  readonly readable?: () => string;
  /** The same where earlier versions wrote it, which keeps the host from starting once the folder is gone. */
  readonly formerReadable?: () => string;
  /** A folder that its reader can always read, for a project and a session's transcript; undefined if unknown. */
  readonly readableFolder?: (root: string, transcript?: string) => string | undefined;
  /** A `.env` file in which earlier versions set BASH_ENV, which this host no longer accepts. */
  readonly formerEnvFile?: () => string;
}

/** True when the results that `results` replaces include those of the shell tool. */
export function replacesShell({ results, shellTool }: Host): boolean {
  return results?.by === "plugin" || (shellTool !== undefined && results?.tools.test(shellTool) === true);
}

/** The same cut for successes and failures. */
export function cutAlike(cut: OwnCut): { readonly success: OwnCut; readonly failure: OwnCut } {
  return { success: cut, failure: cut };
}

/** Below the own cut of every measured host. */
const SAFE_BYTES = 9500;
/** Room for the host's own text around a result: the command, the exit code, a process id. */
const AROUND_BYTES = 500;
const OWN_BYTES = SAFE_BYTES - AROUND_BYTES;
export const SAFE = { success: OWN_BYTES, failure: OWN_BYTES } as const;
export const PATIENCE_MS = 5000;
export const NO_READ_LIMIT = { fileBytes: Number.POSITIVE_INFINITY, lineBytes: Number.POSITIVE_INFINITY } as const;

/** A server as most hosts write it. */
export function plainServer({ command, args }: ServerEntry): Record<string, unknown> {
  return { command, args: [...args] };
}

/** The same for hosts that require a transport type. */
export function stdioServer(entry: ServerEntry): Record<string, unknown> {
  return { type: "stdio", ...plainServer(entry) };
}

/** Results of these tools are never replaced: edits need the exact text, and the host bounds them itself. */
export const NEVER_REPLACED = ["read", "edit", "write", "patch", "apply_patch"];

/** True for a tool whose results `init` would bound in this host, with its best parts or `--mcp`. */
export function covers({ shellTool, results, mcp }: Host, tool: string): boolean {
  if (tool === shellTool || (mcp !== undefined && /^mcp_/.test(tool))) return true;
  if (results?.by === "plugin") return !NEVER_REPLACED.includes(tool);
  return results?.tools.test(tool) === true;
}

/** Bytes that the host alone would have shown of an output; undefined if not measured. */
export function shownAlone(
  { ownCut }: Host,
  { bytes, lines }: { readonly bytes: number; readonly lines: number },
  failed: boolean,
): number | undefined {
  if (ownCut === undefined) return undefined;
  const { overBytes, overLines = Number.POSITIVE_INFINITY, leavesBytes } = failed ? ownCut.failure : ownCut.success;
  if (bytes <= overBytes && lines <= overLines) return bytes;
  // The limit of lines applies first; all lines count as equally long.
  return Math.min(leavesBytes, lines > overLines ? Math.ceil((bytes * overLines) / lines) : bytes);
}

export { applicationData } from "../../platform/folders.ts";

export function configHome(): string {
  // Agents look there on Windows too.
  return process.env.XDG_CONFIG_HOME || inHome(".config");
}

/** A path in the user's home. */
export function inHome(...parts: readonly string[]): string {
  return join(homedir(), ...parts);
}

/** Spillway's data folder: below `XDG_DATA_HOME`, or the platform's default. */
export function dataFolder(): string {
  return join(userFolder("data"), "spillway");
}
