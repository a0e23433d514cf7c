import { readFileSync } from "node:fs";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { isObject } from "../../../bytes/json/is-object.ts";
import { invalidArgument, invalidConfig } from "../../../errors.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

/** What an `mcp.json` holds. */
export interface ServersFile {
  readonly servers: JsonObject;
  /** Defaults of VS Code's `inputs`, by id. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Where agents keep their servers in a JSON file: Claude, Cursor, Gemini and others; VS Code; VS Code's settings. */
const SECTIONS = [["mcpServers"], ["servers"], ["mcp", "servers"]] as const;

/** Reads a file of servers as Claude, Cursor or VS Code write it; comments and trailing commas are taken. */
export function readServersFile(path: string): ServersFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw invalidArgument(`Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  const errors: ParseError[] = [];
  const document: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw invalidConfig(`${path}:${line} is not JSON: ${printParseErrorCode(error.error)}`);
  }
  for (const section of SECTIONS) {
    const servers = section.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document);
    if (isObject(servers)) return { servers, inputs: readInputs(isObject(document) ? document.inputs : undefined) };
  }
  throw invalidConfig(`${path} has neither mcpServers (Claude, Cursor) nor servers (VS Code).`);
}

function readInputs(inputs: unknown): Record<string, string> {
  const defaults: Record<string, string> = {};
  for (const input of Array.isArray(inputs) ? inputs : [])
    if (isObject(input) && typeof input.id === "string" && typeof input.default === "string")
      defaults[input.id] = input.default;
  return defaults;
}
