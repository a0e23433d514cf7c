import { createReadStream } from "node:fs";
import type { ArtifactStore } from "../artifacts/types.ts";
import { ToolFailure } from "../protocol/tool-failure.ts";
import { Sandbox } from "../tools/sandbox.ts";

/** A pointer to a line that an answer rests on, and whether that line exists. */
export type Evidence =
  | { readonly path: string; readonly line: number; readonly exists: true }
  | { readonly path: string; readonly line: number; readonly exists: false; readonly problem: string };

export interface CheckedAnswer {
  /** The answer, with a remark behind every pointer that leads nowhere. */
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

export interface EvidencePlaces {
  readonly root: string;
  readonly store: ArtifactStore;
}

const LINE = /:(\d{1,9})(?:-(\d{1,9}))?(?![\w:])/g;
const PATH_CHARACTER = /[\w@.+~/\\-]/;
const MAX_PATH_CHARS = 1_024;
/** More pointers than anyone follows. */
const MAX_POINTERS = 200;

/** Checks the pointers of an answer. A pointer that names no file counts only in a list, where it is meant as evidence. */
export async function checkEvidence(answer: string, places: EvidencePlaces): Promise<CheckedAnswer> {
  const sandbox = await Sandbox.create(places.root);
  const evidence: Evidence[] = [];
  let text = "";
  let done = 0;
  for (const match of answer.matchAll(LINE)) {
    if (evidence.length >= MAX_POINTERS) break;
    const [suffix, first, last] = match;
    const path = pathBefore(answer, match.index);
    if (path === undefined) continue;
    const begin = match.index - path.length;
    const end = match.index + suffix.length;
    const line = Number(first);
    const problem = await findProblem(path, line, Number(last ?? first), sandbox, places.store);
    if (problem?.kind === "file" && !isListed(answer, begin)) continue;
    evidence.push(problem ? { path, line, exists: false, problem: problem.message } : { path, line, exists: true });
    if (problem === undefined) continue;
    text += `${answer.slice(done, end)} [not found: ${problem.message}]`;
    done = end;
  }
  return { text: text + answer.slice(done), evidence };
}

/** The path that ends here; it has a letter and a slash or a dot, so that times, ports and URLs are not meant. */
function pathBefore(answer: string, end: number): string | undefined {
  let begin = end;
  while (begin > 0 && end - begin <= MAX_PATH_CHARS && PATH_CHARACTER.test(answer.charAt(begin - 1))) begin--;
  const path = answer.slice(begin, end);
  const isPath = /[/\\.]/.test(path) && /[A-Za-z_]/.test(path) && !path.startsWith("//") && answer[begin - 1] !== ":";
  return isPath && path.length <= MAX_PATH_CHARS ? path : undefined;
}

/** True when the pointer stands in a list item, at its beginning. */
function isListed(answer: string, index: number): boolean {
  const line = answer.slice(answer.lastIndexOf("\n", index - 1) + 1, index);
  return /^\s*(?:[-*•]|\d+[.)])\s*[`"'[(]*$/.test(line);
}

async function findProblem(
  path: string,
  first: number,
  last: number,
  sandbox: Sandbox,
  store: ArtifactStore,
): Promise<{ kind: "file" | "line"; message: string } | undefined> {
  const lines =
    (await store.find(path).catch(() => undefined))?.manifest?.lines ?? (await countLines(path, last, sandbox));
  if (typeof lines === "string") return { kind: "file", message: lines };
  if (first < 1 || last < first) return { kind: "line", message: "there is no such line range" };
  return last > lines ? { kind: "line", message: `the file has ${lines} lines` } : undefined;
}

/** Lines of a file, counted only as far as `enough`; or why it cannot be opened. */
async function countLines(path: string, enough: number, sandbox: Sandbox): Promise<number | string> {
  try {
    const { handle } = await sandbox.openFile(path);
    let newlines = 0;
    let lastByte = 10;
    for await (const chunk of createReadStream("", { fd: handle, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) newlines++;
      lastByte = chunk.at(-1) ?? lastByte;
      if (newlines >= enough) break;
    }
    return newlines + (lastByte === 10 ? 0 : 1);
  } catch (error) {
    return error instanceof ToolFailure && error.code === "ACCESS_DENIED" ? "outside the workspace" : "no such file";
  }
}
