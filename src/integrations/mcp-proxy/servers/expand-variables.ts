import { homedir } from "node:os";
import { basename, sep } from "node:path";
import { invalidConfig } from "../../../errors.ts";

/** Where variables of an `mcp.json` get their values. */
export interface VariableSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that editors call the workspace. */
  readonly root: string;
  /** Defaults of VS Code's `inputs`. */
  readonly inputs: Readonly<Record<string, string>>;
}

const VARIABLE = /\$\{(?:(env|input):)?([A-Za-z_][\w.-]*|\/)(?::-([^}]*))?\}/g;

/**
 * Fills in `${NAME}`, `${NAME:-default}` (Claude Code), `${env:NAME}`, `${userHome}`, `${workspaceFolder}` (Cursor) and
 * `${input:id}` (VS Code), which is asked of nobody: it comes from SPILLWAY_INPUT_ID.
 */
export function expandVariables(text: string, sources: VariableSources): string {
  return text.replace(VARIABLE, (_, kind: string | undefined, name: string, fallback: string | undefined) => {
    if (kind === "input") return readInput(name, sources);
    const found = (kind === undefined ? placeOf(name, sources.root) : undefined) ?? sources.environment[name];
    const value = found === undefined || (found === "" && fallback !== undefined) ? fallback : found;
    if (value === undefined) throw invalidConfig(`it needs ${name}, which is not set`);
    return value;
  });
}

function readInput(id: string, { environment, inputs }: VariableSources): string {
  const variable = `SPILLWAY_INPUT_${id.toUpperCase().replaceAll(/\W/g, "_")}`;
  const value = environment[variable] ?? inputs[id];
  if (value === undefined) throw invalidConfig(`it needs the input ${id}; there is nobody to ask, so set ${variable}`);
  return value;
}

function placeOf(name: string, root: string): string | undefined {
  switch (name) {
    case "userHome":
      return homedir();
    case "workspaceFolder":
      return root;
    case "workspaceFolderBasename":
      return basename(root);
    case "pathSeparator":
    case "/":
      return sep;
    default:
      return undefined;
  }
}
