import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PRINT = fileURLToPath(new URL("print.mjs", import.meta.url));

/** An output that is too large for a model, with what it must see of it. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly line: string;
  readonly marks: readonly string[];
  readonly exitCode: number;
}

const marks = (count: number): string[] => Array.from({ length: count }, (_, at) => `MARK-${at + 1}`);
const print = (name: string): string => `node ${PRINT} ${name}`;

const AROUND =
  "The books of the shop are closed once a month by a job that runs at night, and I look after it. Keep to what you are asked, " +
  "change no file, and leave the data folder alone: others work in it. When you are done, write a short summary for the team. ";

/** What the user of every run asks for, 1,200 characters long; the row that it names is one among many. */
export const PROMPT = `${AROUND.repeat(5).slice(0, 1123)} Run what I ask for, tell me what went wrong, and what became of ledger-7f3a.`;

export const CASES: readonly Case[] = [
  { name: "build", title: "build log, 3 MB", line: print("build"), marks: marks(6), exitCode: 0 },
  { name: "build-fails", title: "the same, failing", line: print("build-fails"), marks: marks(6), exitCode: 101 },
  { name: "tests", title: "9,000 tests, 3 failing", line: print("tests"), marks: marks(3), exitCode: 1 },
  { name: "failing", title: "500 KB on stderr, failing", line: print("failing"), marks: marks(3), exitCode: 3 },
  { name: "asked", title: "20,000 rows, one asked for", line: print("asked"), marks: marks(1), exitCode: 0 },
  { name: "line", title: "one line of 10 MB", line: print("line"), marks: marks(1), exitCode: 0 },
];

export const HUGE: Case = {
  name: "huge",
  title: "300 MB",
  line: print("huge"),
  marks: marks(2),
  exitCode: 0,
};

/** Results of tools other than the shell; both hold the build log, of which a search gets no more than some agents let it find. */
export const OTHERS: readonly Case[] = [
  { ...CASES[0]!, name: "search", title: "a search, 400 KB", line: `${print("build")} | sed -n 16400,20400p` },
  { ...CASES[0]!, name: "mcp", title: "an MCP server, 3 MB" },
  {
    ...CASES[0]!,
    name: "delegated",
    title: "a sub-agent's answer, 90 KB",
    line: `${print("build")} | sed -n 18000,18900p`,
  },
];

/** What the model asks of a sub-agent; its answer is the last case. */
export const DELEGATED = "Find out why the ledger does not build";

const known = new Map<string, Buffer>();

/** Every byte that the case's command prints. */
export function bytesOf({ name, line }: Case): Buffer {
  const found = known.get(name);
  if (found !== undefined) return found;
  const folder = mkdtempSync(join(tmpdir(), "spillway-output-"));
  const file = join(folder, "output");
  execFileSync("bash", ["-c", `${line} >"$0" 2>&1 || true`, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  known.set(name, bytes);
  return bytes;
}
