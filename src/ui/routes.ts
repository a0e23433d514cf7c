import type { IncomingMessage, ServerResponse } from "node:http";
import { grepArtifact, searchArtifact } from "../artifacts/search/search-artifact.ts";
import { invalidArgument, isSpillwayError, messageOf } from "../errors.ts";
import { given, parseBytes, parseLimit, parseStrategy } from "../limits/check.ts";
import type { Strategy } from "../limits/types.ts";
import type { GrepPage, LinesPage, SearchPage } from "./api.ts";
import { clean, healthOf, verifyAll } from "./health.ts";
import { begin, EventStream, send, sendError, sendJson } from "./http-answer.ts";
import { imageType } from "./image-type.ts";
import type { Inspector } from "./inspector.ts";
import { type Found, type Library, readStart, rowOf } from "./library.ts";
import type { ReplayOptions } from "./replay.ts";
import { type SavingsKey, savingsCsv, savingsOf, withSessions } from "./savings.ts";
import { sessionDetail, sessionRows } from "./sessions.ts";

const MOST_HITS = 2000;
const MOST_ARTIFACTS = 200;
const LARGEST_SEARCHED = 64 * 1024 * 1024;

interface GrepQuestion {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly fixedStrings: boolean;
}

/** Lines of one artifact that match. */
async function grepOutput(found: Found, question: GrepQuestion, signal: AbortSignal): Promise<GrepPage> {
  const { pattern, ...how } = question;
  const options = { ...how, limit: MOST_HITS, maxBytes: 256 * 1024, windowBytes: 240, signal };
  const answer = await grepArtifact(found.store, found, pattern, options);
  return {
    total: answer.totalMatches,
    complete: answer.complete,
    matches: answer.matches.map(({ line, text }) => ({ line, text })),
  };
}

/** Passages of the newest artifacts that answer to some words, best of each first. */
async function searchOutputs(library: Library, words: string, signal: AbortSignal): Promise<SearchPage> {
  const all = [];
  for await (const row of library.artifacts()) all.push(row);
  all.sort((left, right) => (left.id < right.id ? 1 : -1));
  const searched = all.slice(0, MOST_ARTIFACTS).filter(({ bytes }) => bytes <= LARGEST_SEARCHED);
  const hits: SearchPage["hits"][number][] = [];
  for (const row of searched) {
    if (signal.aborted) break;
    const options = { limit: 2, maxBytes: 1200, signal };
    const passages = await searchArtifact(row.store, row, words, options).catch(() => []);
    for (const { startLine, text } of passages)
      hits.push({ id: row.id, tool: row.tool, at: row.createdAt, startLine, text: text.slice(0, 600) });
    if (hits.length >= 60) break;
  }
  return { hits, skipped: all.length - searched.length };
}

/** Scrolling never asks for more than this at once. */
const PAGE_BYTES = 256 * 1024;
const PAGE_LINES = 2000;
const BEAT_MS = 15_000;
const LARGEST_IMAGE = 32 * 1024 * 1024;

interface Call {
  readonly inspector: Inspector;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** The captures of the path's pattern. */
  readonly id: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Route {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly answer: (call: Call) => Promise<void>;
}

const ROUTES: readonly Route[] = [
  { method: "GET", path: /^outputs$/, answer: listOutputs },
  { method: "GET", path: /^feed$/, answer: feed },
  {
    method: "GET",
    path: /^outputs\/([^/]+)$/,
    answer: async (call) => sendJson(call.response, await call.inspector.library.detail(call.id)),
  },
  { method: "GET", path: /^outputs\/([^/]+)\/preview$/, answer: preview },
  { method: "GET", path: /^outputs\/([^/]+)\/lines$/, answer: lines },
  { method: "GET", path: /^outputs\/([^/]+)\/grep$/, answer: grep },
  { method: "GET", path: /^outputs\/([^/]+)\/raw$/, answer: raw },
  { method: "GET", path: /^outputs\/([^/]+)\/image$/, answer: image },
  { method: "GET", path: /^search$/, answer: search },
  {
    method: "GET",
    path: /^sessions$/,
    answer: async ({ inspector, response }) => sendJson(response, { sessions: await sessionRows(inspector.sessions) }),
  },
  {
    method: "GET",
    path: /^sessions\/([^/]+)$/,
    answer: async ({ inspector, response, id }) => sendJson(response, await sessionDetail(inspector.sessions, id)),
  },
  { method: "GET", path: /^savings$/, answer: savings },
  { method: "GET", path: /^health$/, answer: health },
  { method: "POST", path: /^verify$/, answer: verify },
  { method: "POST", path: /^clean$/, answer: cleanUp },
];

/** Answers a request below `/api/v1/`. */
export async function answerApi(
  inspector: Inspector,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const path = url.pathname.slice("/api/v1/".length);
  const matching = ROUTES.filter((route) => route.path.test(path));
  const route = matching.find(({ method }) => method === request.method);
  if (route === undefined) {
    return matching.length > 0
      ? sendError(response, 405, `Only ${matching.map(({ method }) => method).join(" and ")} here.`)
      : sendError(response, 404, "The API has nothing of that name; see docs/inspector.md.");
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const id = decodeURIComponent(route.path.exec(path)?.[1] ?? "");
    await route.answer({ inspector, request, response, query: url.searchParams, id, signal: gone.signal });
  } catch (error) {
    if (response.headersSent) response.destroy();
    else sendError(response, statusOf(error), messageOf(error));
  }
}

function statusOf(error: unknown): number {
  if (error instanceof URIError) return 400;
  if (!isSpillwayError(error)) return 500;
  return error.code === "ARTIFACT_NOT_FOUND" || error.code === "SESSION_NOT_FOUND" ? 404 : 400;
}

async function listOutputs({ inspector, response, query }: Call): Promise<void> {
  const given = (name: string) => query.get(name) || undefined;
  const answer = await inspector.library.list({
    tool: given("tool"),
    surface: given("surface"),
    shape: given("shape"),
    outcome: given("outcome"),
    text: given("text"),
    before: given("before"),
    limit: Math.min(count(query, "limit", 100), 1000),
  });
  sendJson(response, answer);
}

async function feed({ inspector, response, signal }: Call): Promise<void> {
  const stream = new EventStream(response);
  const tell = (record: Parameters<typeof rowOf>[0]) => {
    const manifest =
      record.id === undefined ? undefined : inspector.library.find(record.id).then((found) => found.manifest);
    void Promise.resolve(manifest)
      .catch(() => undefined)
      .then((known) => stream.send("output", rowOf(record, known)));
  };
  inspector.log.on("record", tell);
  const beat = setInterval(() => stream.beat(), BEAT_MS);
  signal.addEventListener("abort", () => {
    clearInterval(beat);
    inspector.log.off("record", tell);
  });
}

async function preview({ inspector, response, query, id }: Call): Promise<void> {
  const limit = (name: string) =>
    given(query.get(name) || undefined, name, name === "max_bytes" ? parseBytes : parseLimit);
  const options: ReplayOptions = {
    strategy: query.get("strategy") ? (parseStrategy(query.get("strategy") ?? "", "strategy") as Strategy) : undefined,
    maxLines: limit("max_lines"),
    maxBytes: limit("max_bytes"),
    maxChars: limit("max_chars"),
    maxTokens: limit("max_tokens"),
    query: query.get("query") ?? undefined,
  };
  sendJson(response, await inspector.preview(id, options));
}

async function lines({ inspector, response, query, id }: Call): Promise<void> {
  const found = await inspector.library.find(id);
  const from = count(query, "from", 1);
  const limit = Math.min(count(query, "limit", 200), PAGE_LINES);
  const answer = await found.store.readLines(found.id, { offsetLine: from, limit, maxBytes: PAGE_BYTES });
  const text = answer.text.endsWith("\n") ? answer.text.slice(0, -1) : answer.text;
  const page: LinesPage = {
    from: answer.startLine,
    totalLines: answer.totalLines,
    lines: answer.text === "" && answer.endLine < answer.startLine ? [] : text.split("\n"),
    lastCut: answer.lineCut,
  };
  sendJson(response, page);
}

async function grep({ inspector, response, query, id, signal }: Call): Promise<void> {
  const pattern = query.get("pattern") ?? "";
  if (pattern === "") throw invalidArgument("pattern must not be empty.");
  const found = await inspector.library.find(id);
  const how = { ignoreCase: query.get("ignore_case") === "1", fixedStrings: query.get("fixed") === "1" };
  sendJson(response, await grepOutput(found, { pattern, ...how }, signal));
}

/** As a file, whatever it holds: nothing of it is ever shown as a page. */
async function raw({ inspector, response, id }: Call): Promise<void> {
  const found = await inspector.library.find(id);
  begin(response, {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename="${found.name.replaceAll(/[^\w.-]/g, "_")}"`,
  });
  for await (const chunk of found.store.read(found.id)) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
  }
  response.end();
}

async function image({ inspector, response, id }: Call): Promise<void> {
  const found = await inspector.library.find(id);
  const type = imageType(await readStart(found, 16));
  const bytes = found.manifest?.bytes ?? 0;
  if (type === undefined || bytes > LARGEST_IMAGE) return sendError(response, 415, "Not an image that is shown here.");
  send(response, type, await readStart(found, bytes));
}

async function search({ inspector, response, query, signal }: Call): Promise<void> {
  const words = query.get("q") ?? "";
  if (words.trim() === "") throw invalidArgument("q must not be empty.");
  sendJson(response, await searchOutputs(inspector.library, words, signal));
}

async function savings({ inspector, response, query }: Call): Promise<void> {
  await inspector.log.refresh();
  const by = query.get("by") ?? "tool";
  if (by !== "tool" && by !== "surface" && by !== "shape")
    throw invalidArgument(`by must be tool, surface or shape, not ${JSON.stringify(by)}.`);
  const { records, rereads } = await withSessions(inspector.log.records, inspector.sessions);
  const answer = savingsOf(records, by satisfies SavingsKey, rereads);
  if (query.get("format") !== "csv") return sendJson(response, answer);
  const name = { "Content-Disposition": `attachment; filename="spillway-savings-by-${by}.csv"` };
  send(response, "text/csv; charset=utf-8", savingsCsv(answer), name);
}

async function health({ inspector, response }: Call): Promise<void> {
  const { root, writable, library, rules } = inspector;
  sendJson(response, await healthOf(library, rules, { root, writable }));
}

async function verify({ inspector, response, signal }: Call): Promise<void> {
  const stream = new EventStream(response);
  for await (const step of verifyAll(inspector.library, signal)) stream.send("step", step);
  stream.end();
}

async function cleanUp({ inspector, response, query }: Call): Promise<void> {
  const dryRun = query.get("dry_run") === "1";
  if (!dryRun && !inspector.writable)
    return sendError(response, 403, "This run only reads; `spillway ui --write` may remove artifacts.");
  sendJson(response, await clean(inspector.library, inspector.rules, dryRun));
}

function count(query: URLSearchParams, name: string, fallback: number): number {
  return given(query.get(name) || undefined, name, parseLimit) ?? fallback;
}
