import path from "node:path";
import type { ArtifactLocation } from "../artifacts/types.ts";
import { quoteWord } from "./quote-word.ts";
import type { ReadRange } from "./read-range.ts";
import type { Reader, ShellCommand } from "./reader.ts";

/** A call that gets at what is not shown: of a tool, spelled as the reader knows it, or a line for a shell. */
export type NextCall = ToolCall | ShellLine;

export interface ToolCall {
  readonly use: "delegate" | "search" | "read";
  readonly tool: string;
  /** Without a path where only the file's own path would do, which the hint names already. */
  readonly args: Readonly<Record<string, string | number>>;
}

export interface ShellLine {
  readonly use: "search" | "read";
  /** Runs as it stands. */
  readonly line: string;
  /** True when the path of the output is in it. */
  readonly spellsPath: boolean;
}

const READERS = ["read", "read_file"];
const SEARCHERS = ["grep", "grep_search"];
const DELEGATES = ["task"];
/** Spillway's own reader tools for MCP clients, which know artifacts by id. */
const ARTIFACT_READERS = ["spillway_read"];
const ARTIFACT_SEARCHERS = ["spillway_grep"];
const SHELLS = [
  "bash",
  "shell",
  "sh",
  "zsh",
  "exec",
  "terminal",
  "local_shell",
  "exec_command",
  "shell_command",
  "run_command",
  "execute_command",
  "run_shell_command",
  "run_terminal_cmd",
  "run_in_terminal",
];

/** The agent that searches saved outputs. */
const EXPLORE = "explore";
/** What stands for the reader's own words. */
const PATTERN = "PATTERN";
/** Characters shown from a match on, in a line that is too long to show; grep is slow to look for some before it. */
const FROM_MATCH = 200;

/** The calls by which this reader gets at an artifact; none when nothing it has can read it. */
export function nextCalls(reader: Reader, artifact: ArtifactLocation, range: ReadRange): readonly NextCall[] {
  const calls = toolCalls(reader, artifact, range);
  if (!path.isAbsolute(artifact.path)) return calls;
  if (reader.command !== undefined) return [...calls, ...commandLines(reader.command, artifact.id, range)];
  const shell = findTool(reader.tools, SHELLS) !== undefined;
  return shell && !calls.some(({ use }) => use !== "delegate")
    ? [...calls, ...shellLines(quoteWord(artifact.path), range)]
    : calls;
}

function toolCalls(reader: Reader, { id, path: location }: ArtifactLocation, range: ReadRange): ToolCall[] {
  const { tools, agents, byId } = reader;
  const isFile = path.isAbsolute(location);
  const file = byId ? { path: id } : {};
  const prompt = `In ${byId ? id : "<path>"}, find …`;
  const calls: (ToolCall | undefined)[] = [
    agents.includes(EXPLORE) && (isFile || byId)
      ? callOf("delegate", findTool(tools, DELEGATES), { agent: EXPLORE, prompt })
      : undefined,
    (isFile ? callOf("search", findTool(tools, SEARCHERS), byId ? { pattern: "…", ...file } : {}) : undefined) ??
      callOf("search", findTool(tools, ARTIFACT_SEARCHERS), { id, pattern: "…" }),
    (isFile || byId ? callOf("read", findTool(tools, READERS), { ...file, ...rangeArgs(range) }) : undefined) ??
      callOf("read", findTool(tools, ARTIFACT_READERS), { id, ...rangeArgs(range) }),
  ];
  return calls.filter((call) => call !== undefined);
}

function callOf(use: ToolCall["use"], tool: string | undefined, args: ToolCall["args"]): ToolCall | undefined {
  return tool === undefined ? undefined : { use, tool, args };
}

function rangeArgs(range: ReadRange): ToolCall["args"] {
  return "limit" in range
    ? { offset: range.offsetLine, limit: range.limit }
    : { bytes: `${range.startByte}-${range.endByte}` };
}

function commandLines({ program, flags }: ShellCommand, id: string, range: ReadRange): ShellLine[] {
  const where = flags === undefined || flags === "" ? id : `${id} ${flags}`;
  const part =
    "limit" in range
      ? `--offset ${range.offsetLine} --limit ${range.limit}`
      : `--bytes ${range.startByte}-${range.endByte}`;
  return [
    { use: "search", line: `${program} artifacts grep ${PATTERN} ${where}`, spellsPath: false },
    { use: "read", line: `${program} artifacts read ${where} ${part}`, spellsPath: false },
  ];
}

function shellLines(file: string, range: ReadRange): ShellLine[] {
  const [search, read] =
    "limit" in range
      ? [`grep -n ${PATTERN} ${file}`, `sed -n '${range.offsetLine},${range.offsetLine + range.limit - 1}p' ${file}`]
      : [
          `grep -n -b -o '${PATTERN}.\\{0,${FROM_MATCH}\\}' ${file}`,
          `tail -c +${range.startByte + 1} ${file} | head -c ${range.endByte - range.startByte}`,
        ];
  return [
    { use: "search", line: search, spellsPath: true },
    { use: "read", line: read, spellsPath: true },
  ];
}

function findTool(tools: readonly string[], names: readonly string[]): string | undefined {
  return tools.find((tool) => names.includes(tool.toLowerCase()));
}
