/** What the reader of a result can do, as far as hints depend on it. */
export interface Reader {
  /** Names of the tools that it can call. @default Read and Grep */
  readonly tools: readonly string[];
  /** Sub-agents that its Task tool can run. @default explore */
  readonly agents: readonly string[];
  /** True when its Read and Grep take the id of an artifact for a path, as the built-in tools do. @default false */
  readonly byId: boolean;
  /** How its Read names lines: `offset` from 1 or from 0 with `limit`, `start_line` and `end_line`, or `view_range`. @default offset */
  readonly lineArgs?: LineArgs | undefined;
  /** Spillway's own command line, as a shell of the reader reaches it. @default none */
  readonly command?: ShellCommand | undefined;
}

export type LineArgs = "offset" | "offset_from_0" | "start_and_end" | "view_range";

/** A command line with the flags that make it look where the artifacts are. */
export interface ShellCommand {
  /** Such as `npx spillway`; quoted as a shell needs it. */
  readonly program: string;
  /** Such as `--root 'my project'`. */
  readonly flags?: string | undefined;
}

/** Options that say who reads; what is left out is assumed. */
export type ReaderOptions = { readonly [Key in keyof Reader]?: Reader[Key] | undefined };

const ASSUMED: Reader = { tools: ["Read", "Grep"], agents: ["explore"], byId: false };

/** The reader that these options describe, the first that says something winning. */
export function resolveReader(...options: readonly ReaderOptions[]): Reader {
  const said = <Key extends keyof Reader>(key: Key): Reader[Key] =>
    options.find((one) => one[key] !== undefined)?.[key] ?? ASSUMED[key];
  return {
    tools: said("tools"),
    agents: said("agents"),
    byId: said("byId"),
    lineArgs: said("lineArgs"),
    command: said("command"),
  };
}
