import path from "node:path";
import type { TablesHint } from "../artifacts/query/probe-tables.ts";
import type { ArtifactLocation } from "../artifacts/types.ts";
import type { Omission, Size } from "../preview/types.ts";
import { quoteWord } from "./quote-word.ts";
import type { LineArgs, Reader, ReadRange, ShellCommand } from "./reader.ts";
import type { ItemCount, Outcome, Storage } from "./types.ts";

/** A call that reads the omitted part: a tool call in the reader's spelling, or a shell line. */
export type NextCall = ToolCall | ShellLine;

export interface ToolCall {
  readonly use: "delegate" | "search" | "read";
  readonly tool: string;
  /** Without a path where only the file's own path would do, which the hint names already. */
  readonly args: Readonly<Record<string, string | number | readonly number[]>>;
}

export interface ShellLine {
  readonly use: "search" | "read";
  /** A complete call that can be run as it is. */
  readonly line: string;
  /** True when the path of the output is in it. */
  readonly spellsPath: boolean;
}

const READERS = ["read", "read_file", "view"];
const SEARCHERS = ["grep", "grep_search"];
const DELEGATES = ["task"];
/** Spillway's own reader for MCP clients; it finds artifacts by id and lines by pattern. */
const ARTIFACT_READERS = ["spillway_read"];
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
/** Placeholder for words that the reader chooses. */
const PATTERN = "PATTERN";
/** Characters shown from a match on, in a line that is too long to show; grep is slow to look for some before it. */
const FROM_MATCH = 200;

/** The calls by which this reader reaches an artifact; empty if none of its tools can read it. */
export function nextCalls(reader: Reader, artifact: ArtifactLocation, range: ReadRange): readonly NextCall[] {
  const calls = toolCalls(reader, artifact, range);
  if (isRemote(artifact.path)) {
    return reader.command === undefined
      ? calls
      : [...calls, ...commandLines({ program: reader.command.program }, quoteWord(artifact.path), range)];
  }
  if (!path.isAbsolute(artifact.path)) return calls;
  if (reader.command !== undefined) return [...calls, ...commandLines(reader.command, artifact.id, range)];
  const shell = findTool(reader.tools, SHELLS) !== undefined;
  return shell && !calls.some(({ use }) => use !== "delegate")
    ? [...calls, ...shellLines(quoteWord(artifact.path), range)]
    : calls;
}

/** The same for binary output: only tools that read byte ranges can read it. */
export function nextBinaryCalls(reader: Reader, artifact: ArtifactLocation, range: ReadRange): readonly NextCall[] {
  const takesBytes = reader.byId || findTool(reader.tools, ARTIFACT_READERS) !== undefined;
  return nextCalls(reader, artifact, range).filter(
    ({ use, ...call }) => use === "read" && ("line" in call || takesBytes),
  );
}

/** A place that Spillway's own tools and command line reach by its address, from any machine. */
function isRemote(location: string): boolean {
  return location.startsWith("s3://");
}

function toolCalls(reader: Reader, { id, path: location }: ArtifactLocation, range: ReadRange): ToolCall[] {
  const { tools, agents, byId } = reader;
  const isFile = path.isAbsolute(location);
  const remote = isRemote(location);
  const own = remote ? location : id;
  const file = byId ? { path: own } : {};
  const prompt = `In ${byId ? own : "<path>"}, find …`;
  const calls: (ToolCall | undefined)[] = [
    agents.includes(EXPLORE) && (isFile || byId)
      ? callOf("delegate", findTool(tools, DELEGATES), { agent: EXPLORE, prompt })
      : undefined,
    (isFile || (remote && byId)
      ? callOf("search", findTool(tools, SEARCHERS), byId ? { pattern: "…", ...file } : {})
      : undefined) ?? callOf("search", findTool(tools, ARTIFACT_READERS), { id, pattern: "…" }),
    (isFile || byId
      ? callOf("read", findTool(tools, READERS), { ...file, ...rangeArgs(range, reader.lineArgs) })
      : undefined) ?? callOf("read", findTool(tools, ARTIFACT_READERS), { id, ...rangeArgs(range) }),
  ];
  return calls.filter((call) => call !== undefined);
}

function callOf(use: ToolCall["use"], tool: string | undefined, args: ToolCall["args"]): ToolCall | undefined {
  return tool === undefined ? undefined : { use, tool, args };
}

function rangeArgs(range: ReadRange, lineArgs: LineArgs = "offset"): ToolCall["args"] {
  if (!("limit" in range)) return { bytes: `${range.startByte}-${range.endByte}` };
  const { offsetLine, limit } = range;
  if (lineArgs === "view_range") return { view_range: [offsetLine, offsetLine + limit - 1] };
  if (lineArgs === "start_and_end") return { start_line: offsetLine, end_line: offsetLine + limit - 1 };
  return { offset: lineArgs === "offset" ? offsetLine : offsetLine - 1, limit };
}

function commandLines({ program, flags }: ShellCommand, id: string, range: ReadRange): ShellLine[] {
  const where = flags === undefined || flags === "" ? id : `${id} ${flags}`;
  const part =
    "limit" in range
      ? `--offset ${range.offsetLine} --limit ${range.limit}`
      : `--bytes ${range.startByte}-${range.endByte}`;
  return [
    { use: "search", line: `${program} artifacts grep ${PATTERN} ${where}`, spellsPath: where.includes("s3://") },
    { use: "read", line: `${program} artifacts read ${where} ${part}`, spellsPath: where.includes("s3://") },
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

/** Tools that answer SQL questions, and the parameter that names the output. */
const QUERY_TOOLS: Readonly<Record<string, string>> = { spillway_query: "id", artifactquery: "path" };

/** True if this reader can ask SQL questions about a saved output. */
export function canQuery({ tools, command }: Reader): boolean {
  return command !== undefined || tools.some((tool) => tool.toLowerCase() in QUERY_TOOLS);
}

/** Tables of the saved output, and a call that asks them as it is; without one the reader cannot. */
export interface TablesToAsk extends TablesHint {
  readonly call?: string | undefined;
}

function tablesToAsk(tables: TablesHint, { tools, command }: Reader, artifact: ArtifactLocation): TablesToAsk {
  const tool = tools.find((each) => each.toLowerCase() in QUERY_TOOLS);
  if (tool !== undefined) {
    const parameter = QUERY_TOOLS[tool.toLowerCase()] ?? "id";
    return {
      ...tables,
      call: `${tool}(${parameter}=${JSON.stringify(artifact.id)}, sql=${JSON.stringify(tables.example)})`,
    };
  }
  if (command === undefined) return tables;
  const where = [isRemote(artifact.path) ? quoteWord(artifact.path) : artifact.id, command.flags ?? ""]
    .join(" ")
    .trim();
  return { ...tables, call: `${command.program} artifacts query ${where} ${quoteWord(tables.example)}` };
}

/** The omission, the path of the full output and the next calls, as data; a renderer writes the text. */
export interface Hint {
  readonly outcome: Outcome;
  readonly shown: {
    readonly kept: Size;
    readonly size: Size;
    /** False when nothing but formatting codes was left out. */
    readonly cut: boolean;
    /** Set when the output is made of items: these are counted instead of lines. */
    readonly items?: ItemCount | undefined;
  };
  readonly storage: Storage;
  /** The text alone, if it is saved as a file next to the artifact; calls then name that file. */
  readonly textPath?: string | undefined;
  readonly next: readonly NextCall[];
  /** Set if the output has rows that SQL can ask. */
  readonly tables?: TablesToAsk | undefined;
  /** Set when nothing in the output matches the reader's question. */
  readonly unanswered?: true | undefined;
  /** Set for binary output, where neither search nor line ranges help. */
  readonly binary?: true | undefined;
  /** Set when a model's summary is shown instead of a preview. */
  readonly summarized?: true | undefined;
  /** Mark that markers in the preview and the notice carry; it never occurs in the output. */
  readonly mark?: string | undefined;
  /** The host's own wording, used instead of ours. */
  readonly words?: string | undefined;
}

/** Input of a hint. */
export interface HintFacts {
  readonly outcome: Outcome;
  readonly size: Size;
  /** Lines and bytes of the output that the preview shows. */
  readonly kept: Size;
  readonly storage: Storage;
  readonly omissions: readonly Omission[];
  readonly items?: ItemCount | undefined;
  readonly unanswered?: boolean | undefined;
  readonly binary?: boolean | undefined;
  readonly tables?: TablesHint | undefined;
  readonly mark?: string | undefined;
  /** The part of the artifact that is worth reading next. */
  readonly range: ReadRange;
  readonly reader: Reader;
}

/** Builds the hint: what was cut, where the full output is, and calls that read the rest with tools the reader has. */
export function createHint(facts: HintFacts): Hint {
  const { outcome, size, kept, storage, omissions, items, unanswered, binary, mark, range, reader, tables } = facts;
  const shown = { kept, size, cut: omissions.length > 0, ...(items && { items }) };
  const callsFor = binary === true ? nextBinaryCalls : nextCalls;
  const next = "lost" in storage ? [] : callsFor(reader, storage.artifact, range);
  return {
    outcome,
    shown,
    storage,
    next,
    ...(unanswered === true && { unanswered }),
    ...(binary === true && { binary }),
    ...(tables !== undefined && "artifact" in storage && { tables: tablesToAsk(tables, reader, storage.artifact) }),
    ...(mark !== undefined && { mark }),
  };
}
