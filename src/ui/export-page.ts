import { createHash } from "node:crypto";
import { redactValue } from "../redact/redact-value.ts";
import { Redaction } from "../redact/redaction.ts";
import { SecretNumbers } from "../redact/secret-numbers.ts";
import { VERSION } from "../version.ts";
import type { ExportedPage } from "./api.ts";
import type { Inspector } from "./inspector.ts";
import { readStart } from "./library.ts";
import { readPageFile } from "./page-files.ts";
import { sessionDetail } from "./sessions.ts";

/** Up to this size the whole output is included; of a larger one, the text around the kept lines. */
const WHOLE_BYTES = 2 * 1024 * 1024;
const AROUND_LINES = 100;
const MOST_LINES = 20_000;

/** One output or session as a standalone page without a server; secrets are redacted. */
export async function exportPage(inspector: Inspector, reference: string): Promise<string> {
  const data = reference.startsWith("ses_")
    ? { session: await sessionDetail(inspector.sessions, reference) }
    : { output: await exportedOutput(inspector, reference) };
  const page: ExportedPage = { madeAt: new Date().toISOString(), version: VERSION, ...data };
  const redaction = new Redaction({ patterns: [], allow: [] }, process.env);
  return renderPage(redactValue(redaction, page, new SecretNumbers()).value);
}

async function exportedOutput(inspector: Inspector, id: string): Promise<NonNullable<ExportedPage["output"]>> {
  await inspector.log.refresh();
  const detail = await inspector.library.detail(id);
  const preview = await inspector.preview(id, {});
  const found = await inspector.library.find(id);
  const totalLines = detail.row.lines;
  const exported = { detail: { ...detail, path: detail.name }, preview, totalLines };
  if (detail.row.bytes <= WHOLE_BYTES) {
    const text = Buffer.from(await readStart(found, detail.row.bytes)).toString();
    return { ...exported, runs: [{ from: 1, lines: text.split("\n").slice(0, Math.min(totalLines, MOST_LINES)) }] };
  }
  const ranges = joined(
    preview.blocks.map(({ startLine, endLine }) => ({ from: startLine - AROUND_LINES, to: endLine + AROUND_LINES })),
    totalLines,
  );
  const runs: { from: number; lines: readonly string[] }[] = [];
  let room = MOST_LINES;
  for (const { from, to } of ranges) {
    for (let at = from; at <= to && room > 0; ) {
      const limit = Math.min(to - at + 1, room, 2000);
      const answer = await found.store.readLines(found.id, { offsetLine: at, limit, maxBytes: 256 * 1024 });
      const lines = answer.text.replace(/\n$/, "").split("\n");
      if (answer.endLine < at) break;
      runs.push({ from: at, lines });
      room -= lines.length;
      at = answer.endLine + 1;
    }
  }
  return { ...exported, runs };
}

/** Ranges in order, those that touch made one. */
function joined(
  ranges: readonly { readonly from: number; readonly to: number }[],
  last: number,
): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of ranges) {
    const start = Math.max(1, from);
    const end = Math.min(last, to);
    const before = result.at(-1);
    if (before !== undefined && start <= before.to + 1) before.to = Math.max(before.to, end);
    else result.push({ from: start, to: end });
  }
  return result;
}

/** The page with its script, style and data inside; nothing is loaded from anywhere, and only that script may run. */
async function renderPage(data: unknown): Promise<string> {
  const html = await textOf("/");
  const script = await textOf(/src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? "");
  const style = await textOf(/href="(\/assets\/[^"]+\.css)"/.exec(html)?.[1] ?? "");
  const code = script.replaceAll("</script", "<\\/script");
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  // No output may close the element that contains it.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Spillway</title>',
    `<style>${style}</style></head><body><div id="app"></div>`,
    `<script type="application/json" id="exported">${json}</script>`,
    `<script type="module">${code}</script></body></html>`,
    "",
  ].join("\n");
}

async function textOf(pathname: string): Promise<string> {
  const file = await readPageFile(pathname);
  return Buffer.from(file?.bytes ?? []).toString("utf8");
}
