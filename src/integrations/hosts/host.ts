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
  /** What it makes of results; undefined where nobody has measured. */
  readonly client?: McpClient;
  readonly format: "json" | "toml";
  /** The object or table that holds the servers. */
  readonly section: string;
  /** File below the project's root; undefined when the host has only a file of the user's. */
  readonly projectFile?: string;
  readonly userFile: () => string;
  readonly render: (entry: ServerEntry) => Readonly<Record<string, unknown>>;
}

/** How the host's shell tool is wrapped below its permission rules: the text that it approves stays as it is. */
export type ShellPlace =
  | {
      /** The host starts this program as `PROGRAM -c LINE`; one that cannot be started is passed over for the user's own shell. */
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
      /** How a frame of the host's own begins that only starts the line; what it starts is looked at instead. */
      readonly frame: string;
      /** Set besides where the user has said nothing of it. */
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
      /** The same, set by the user where the host is started; `init` tells the line. */
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
      /** As the host's settings choose tools. */
      readonly matcher: string;
      /** The same, for hosts that do not look at it. */
      readonly tools: RegExp;
      readonly answer: HookAnswer;
      /** How a result begins or ends that the host has saved to a file, and how its text names the file (group 1). */
      readonly saved?: {
        readonly phrase: string;
        readonly path: RegExp;
        /** Such a text, to try the hook with. */
        readonly example: (file: string) => string;
      };
      /** What the host says after an output, in the text of a result. */
      readonly ending?: RegExp;
      /** How its settings write a hook. @default `{ matcher, hooks: [{ type, command, timeout }] }` */
      readonly entry?: (command: string) => unknown;
      /** In the unit of the host's settings. */
      readonly timeout: number;
      /** What the shell tool says around an output, for hosts that hand both to the hook. */
      readonly frame?: { readonly head: RegExp; readonly tail: RegExp };
      /** Most bytes of what the hook adds. @default the host's */
      readonly maxBytes?: number;
    };

/**
 * How a hook's answer reaches the model: `updated-output` replaces the result in its own shape, `modified-result` as one
 * text, `tail-call` has the host read a file instead, `add-context` appends to what the host shows itself.
 */
export type HookAnswer = "updated-output" | "modified-result" | "tail-call" | "add-context";

export type HookPlace = Extract<ResultsPlace, { by: "hook" }>;
export type PluginPlace = Extract<ResultsPlace, { by: "plugin" }>;

/** A host's own way with a long result, so that a saving is never counted against what its model would not have seen. */
export interface OwnCut {
  /** Results over this are cut; characters count as bytes here. */
  readonly overBytes: number;
  /** The same for lines. @default any number */
  readonly overLines?: number;
  /** What its model gets of them, the host's own words included. */
  readonly leavesBytes: number;
}

/** One agent: what it shows, reads and allows, and where its files are. */
export interface Host {
  readonly name: string;
  readonly title: string;
  /** The folder that is there when the host is. */
  readonly folder: () => string;
  /** Most bytes of a result, notice included: below the host's own cut, which differs for failures. */
  readonly maxBytes: { readonly success: number; readonly failure: number };
  /** What the host itself leaves of a longer result; undefined where nobody has measured it. */
  readonly ownCut?: { readonly success: OwnCut; readonly failure: OwnCut };
  /** Tools by which its model gets at an artifact, as it knows them. */
  readonly readers: readonly string[];
  /** How its reader names lines. @default offset from 1, and limit */
  readonly lineArgs?: LineArgs;
  /** Its shell tool, by which the model gets at what the readers refuse. */
  readonly shellTool?: string;
  /** What its own reader refuses: larger files, or longer lines. */
  readonly largestRead: { readonly fileBytes: number; readonly lineBytes: number };
  /** Where it may both write and read: below the project's root, or in the user's state folder. */
  readonly artifacts: "project" | "user";
  /** How long a command may run before its first output is passed on: up to half of what the host may see. */
  readonly patienceMs: number;
  /** The same for the first quarter, for hosts that look at a command before it ends. @default patienceMs */
  readonly earlyMs?: number;
  /** It ends a command that prints nothing for so long. */
  readonly idleMs?: number;
  /** Of a command that fails its model is shown standard error only, and is told the exit code if there is any. */
  readonly errorsOnly?: true;
  /** `wrap` where each command has a terminal; elsewhere one is asked for, and such a command runs plainly. @default "plain" */
  readonly terminal?: "plain" | "wrap";
  readonly mcp?: McpPlace;
  readonly shell?: ShellPlace;
  readonly results?: ResultsPlace;
  /** The settings whose `context.includeDirectories` lets its reader read saved outputs. */
  readonly readable?: () => string;
  /** The same where earlier versions wrote it, which keeps the host from starting once the folder is gone. */
  readonly formerReadable?: () => string;
  /** A folder that its reader may read anyway, of a project and the session whose transcript this is; undefined if none is known. */
  readonly readableFolder?: (root: string, transcript?: string) => string | undefined;
  /** A `.env` file in which earlier versions set BASH_ENV, which this host no longer accepts. */
  readonly formerEnvFile?: () => string;
}

/** True when the results that `results` replaces include those of the shell tool. */
export function replacesShell({ results, shellTool }: Host): boolean {
  return results?.by === "plugin" || (shellTool !== undefined && results?.tools.test(shellTool) === true);
}

/** The same for failed calls and for those that went well. */
export function cutAlike(cut: OwnCut): { readonly success: OwnCut; readonly failure: OwnCut } {
  return { success: cut, failure: cut };
}

/** Safe below the second cut of every host that was measured. */
const SAFE_BYTES = 9500;
/** What a host says around a result: the command again, the exit code, a process id. */
const AROUND_BYTES = 500;
const OWN_BYTES = SAFE_BYTES - AROUND_BYTES;
export const SAFE = { success: OWN_BYTES, failure: OWN_BYTES } as const;
export const PATIENCE_MS = 5000;
export const NO_READ_LIMIT = { fileBytes: Number.POSITIVE_INFINITY, lineBytes: Number.POSITIVE_INFINITY } as const;

/** A server as most hosts write it. */
export function plainServer({ command, args }: ServerEntry): Record<string, unknown> {
  return { command, args: [...args] };
}

/** The same for hosts that want to be told the transport. */
export function stdioServer(entry: ServerEntry): Record<string, unknown> {
  return { type: "stdio", ...plainServer(entry) };
}

/** Results of these are left alone: edits need them to the letter, and the host bounds them itself. */
export const NEVER_REPLACED = ["read", "edit", "write", "patch", "apply_patch"];

/** True for a tool whose results `init` would bound in this host, with its best parts or `--mcp`. */
export function covers({ shellTool, results, mcp }: Host, tool: string): boolean {
  if (tool === shellTool || (mcp !== undefined && /^mcp_/.test(tool))) return true;
  if (results?.by === "plugin") return !NEVER_REPLACED.includes(tool);
  return results?.tools.test(tool) === true;
}

/** What the host itself would have shown its model of an output; undefined where nobody has measured it. */
export function shownAlone(
  { ownCut }: Host,
  { bytes, lines }: { readonly bytes: number; readonly lines: number },
  failed: boolean,
): number | undefined {
  if (ownCut === undefined) return undefined;
  const { overBytes, overLines = Number.POSITIVE_INFINITY, leavesBytes } = failed ? ownCut.failure : ownCut.success;
  if (bytes <= overBytes && lines <= overLines) return bytes;
  // Lines are left out before bytes are, and all count as equally long.
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

/** Where programs of this user keep their data: `XDG_DATA_HOME`, or the platform's own. */
export function dataFolder(): string {
  return join(userFolder("data"), "spillway");
}
