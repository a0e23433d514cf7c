/** How a host's file names an MCP server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where a host keeps its MCP servers. */
export interface McpPlace {
  /** `clientInfo.name` of its handshake, or how it begins; undefined where nobody has looked. */
  readonly clientName?: string;
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
      /** The host starts this program with the whole line as its one argument. */
      readonly by: "prefix";
      readonly settings: () => string;
      readonly projectSettings: string;
      readonly section: string;
      readonly key: string;
      /** Only a line of the shell tool has this in it; hooks and servers started the same way have not. */
      readonly lineHolds: string;
    }
  | {
      /** Bash reads this file before the line; set in a table of the host's TOML file. */
      readonly by: "bash-env-toml";
      readonly settings: () => string;
      readonly section: string;
      readonly key: string;
    }
  | {
      /** The same, set in a `.env` file that the host loads for itself and all it starts. */
      readonly by: "bash-env-dotenv";
      readonly envFile: () => string;
      readonly settings: () => string;
      /** A shell condition that holds only for lines of the shell tool; the line is `$BASH_EXECUTION_STRING`. */
      readonly recognise: string;
    };

/** A file of ours that the host loads into itself and that replaces results. */
export interface ResultsPlace {
  readonly userFile: () => string;
  readonly projectFile: string;
  readonly kind: "opencode" | "pi";
}

/** One agent: what it shows, reads and allows, and where its files are. */
export interface Host {
  readonly name: string;
  readonly title: string;
  /** The folder that is there when the host is. */
  readonly folder: () => string;
  /** Most bytes of a result, notice included: below the host's own cut, which differs for failures. */
  readonly maxBytes: { readonly success: number; readonly failure: number };
  /** What the host itself leaves of a longer result, in the unit it counts. */
  readonly ownCut: string;
  /** Tools by which its model gets at an artifact, as it knows them. */
  readonly readers: readonly string[];
  /** Its shell tool, by which the model gets at what the readers refuse. */
  readonly shellTool?: string;
  /** What its own reader refuses: larger files, or longer lines. */
  readonly largestRead: { readonly fileBytes: number; readonly lineBytes: number };
  /** Where it may both write and read: below the project's root, or in the user's state folder. */
  readonly artifacts: "project" | "user";
  /** How long a command may be silent before its first output is passed on. */
  readonly patienceMs: number;
  readonly mcp?: McpPlace;
  readonly shell?: ShellPlace;
  readonly results?: ResultsPlace;
}

/** Safe below the second cut of every host that was measured. */
export const SAFE_BYTES = 9500;
export const SAFE = { success: SAFE_BYTES, failure: SAFE_BYTES } as const;
export const PATIENCE_MS = 5000;
export const NO_READ_LIMIT = { fileBytes: Number.POSITIVE_INFINITY, lineBytes: Number.POSITIVE_INFINITY } as const;

/** A host of which only the MCP servers can be reached; its built-in shell stays as it is, and was not measured. */
export const MCP_ONLY = {
  maxBytes: SAFE,
  ownCut: "not measured",
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
} as const;

/** A server as most hosts write it. */
export function plainServer({ command, args }: ServerEntry): Record<string, unknown> {
  return { command, args: [...args] };
}

/** The same for hosts that want to be told the transport. */
export function stdioServer(entry: ServerEntry): Record<string, unknown> {
  return { type: "stdio", ...plainServer(entry) };
}
