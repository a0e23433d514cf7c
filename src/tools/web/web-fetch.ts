import { TextDecoder } from "node:util";
import { z } from "zod";
import { pluralOf } from "../../preview/omission.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolError, ToolErrorCode } from "../../protocol/types.ts";
import { controlShare, detectEncoding, detectFileType } from "../read/encoding.ts";
import { type CapturedResult, defineTool } from "../registry/define-tool.ts";
import { convertHtml } from "./convert-html.ts";
import { requestWeb, type WebAnswer } from "./web-request.ts";

const WEB_TIMEOUT_MS = 30_000;
const WEB_MAX_BYTES = 5 << 20;
const WEB_MOST_BYTES = 100 << 20;

/** Fetches a page of the web. */
export const webFetchTool = defineTool({
  name: "WebFetch",
  description: `Fetch an http or https address. HTML becomes Markdown (or plain text), the main article first; other text comes as it is. At most ${WEB_MAX_BYTES} bytes and ${WEB_TIMEOUT_MS / 1000} s unless max_bytes and timeout_ms say otherwise. Long content is saved and shown in part.`,
  readOnly: true,
  parameters: z.strictObject({
    url: z.string().min(1).describe("Full address."),
    format: z.enum(["markdown", "text", "html"]).default("markdown"),
    timeout_ms: z.int().min(1).max(600_000).default(WEB_TIMEOUT_MS),
    max_bytes: z.int().min(1).max(WEB_MOST_BYTES).default(WEB_MAX_BYTES).describe("Most bytes to load, decompressed."),
  }),
  async execute({ url, format, timeout_ms: timeoutMs, max_bytes: maxBytes }, run) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = run.signal === undefined ? timeout : AbortSignal.any([timeout, run.signal]);
    const allowPrivateAddresses = run.environment.allowPrivateAddresses === true;
    const fail = (error: unknown): never => {
      throw explain(error, url, { timedOut: timeout.aborted, timeoutMs, aborted: run.signal?.aborted === true });
    };
    const answer = await requestWeb({ url, maxBytes, signal, allowPrivateAddresses }).catch(fail);
    const { text, encoding, title, stripped } = await readable(answer, format, signal).catch(fail);
    const capture = await run.capture({ extension: format === "markdown" ? "md" : format === "html" ? "html" : "txt" });
    await capture.write(text);
    const error = statusError(answer);
    const governed = await capture.finish(
      error === undefined ? { kind: "success" } : { kind: "failure", message: error.message },
    );
    const redirected = answer.url === new URL(url).href ? "" : ` (redirected to ${answer.url})`;
    return {
      governed,
      text:
        error === undefined
          ? `Fetched ${url}${redirected}: ${answer.contentType || "no content type"}, ${answer.body.length} ${pluralOf(answer.body.length, "byte")}.`
          : "The server's answer is in data.content. Check url, or fetch another address.",
      data: {
        url: answer.url,
        status: answer.status,
        content_type: answer.contentType,
        encoding,
        ...(title === "" ? {} : { title }),
        ...(stripped ? { fallback: "text" } : {}),
      },
      stats: { http_status: answer.status, bytes: answer.body.length },
      error,
      incomplete: incompleteness({ url, format }, answer.cut ? maxBytes : undefined, stripped),
    };
  },
});

function incompleteness(
  asked: { readonly url: string; readonly format: string },
  cutAt: number | undefined,
  stripped: boolean,
): CapturedResult["incomplete"] {
  if (cutAt === undefined && !stripped) return undefined;
  const because = [
    ...(cutAt === undefined ? [] : [`Loading stopped at ${cutAt} bytes`]),
    ...(stripped
      ? ["The page is too large, too deeply nested or too slow to find its article in; all of its text is given"]
      : []),
  ].join("; ");
  const more = { ...asked, max_bytes: Math.min(WEB_MOST_BYTES, (cutAt ?? 0) * 4) };
  const next =
    cutAt === undefined
      ? `WebFetch ${JSON.stringify({ ...asked, format: "html" })} shows its source.`
      : cutAt < WEB_MOST_BYTES
        ? `WebFetch ${JSON.stringify(more)} loads more.`
        : "Load the rest with Bash and curl into a file.";
  return { because, next, cut: cutAt !== undefined };
}

async function readable(answer: WebAnswer, format: "markdown" | "text" | "html", signal: AbortSignal) {
  const { body, contentType } = answer;
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const binary = detectFileType(body) ?? (looksBinary(type, body) ? type || "data" : undefined);
  if (binary !== undefined) {
    throw new ToolFailure(
      "BINARY_FILE",
      `${answer.url} is not text: ${binary}, ${body.length}${answer.cut ? " or more" : ""} bytes.`,
      {
        next: "Load it with Bash and curl into a file, and use a program for its type.",
        data: { size: body.length, type: binary },
      },
    );
  }
  const { text, encoding } = decodeWebText(body, contentType);
  const isHtml =
    type === "text/html" || type === "application/xhtml+xml" || (type === "" && /^\s*<(!doctype|html)/i.test(text));
  if (!isHtml || format === "html") return { text, encoding, title: "", stripped: false };
  return { encoding, ...(await convertHtml({ html: text, url: answer.url, format }, signal)) };
}

function looksBinary(type: string, body: Buffer): boolean {
  if (/^(image\/(?!svg)|audio\/|video\/|font\/)/.test(type)) return true;
  const sample = body.subarray(0, 8192);
  return /^(text\/|application\/(json|xml|xhtml|javascript))/.test(type)
    ? false
    : sample.includes(0) || controlShare(sample) > 0.1;
}

const BY_STATUS: Readonly<Record<number, ToolErrorCode>> = {
  401: "PERMISSION_DENIED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  408: "TIMEOUT",
  410: "NOT_FOUND",
  504: "TIMEOUT",
};

function statusError({ status, url }: WebAnswer): ToolError | undefined {
  if (status < 400) return undefined;
  return { code: BY_STATUS[status] ?? "EXECUTION_ERROR", message: `${url} answered with HTTP status ${status}.` };
}

interface Circumstances {
  readonly timedOut: boolean;
  readonly timeoutMs: number;
  readonly aborted: boolean;
}

function explain(error: unknown, url: string, { timedOut, timeoutMs, aborted }: Circumstances): unknown {
  const found = [error, (error as { cause?: unknown }).cause].find((each) => each instanceof ToolFailure);
  if (found !== undefined) return found;
  if (aborted) return new ToolFailure("EXECUTION_ERROR", `Fetching ${url} was aborted.`);
  if (timedOut) {
    return new ToolFailure("TIMEOUT", `${url} was not loaded and read within ${timeoutMs} ms.`, {
      next: `Try again with a larger timeout_ms.`,
    });
  }
  const { code, message } = error as NodeJS.ErrnoException;
  return new ToolFailure(
    code === "ENOTFOUND" ? "NOT_FOUND" : "EXECUTION_ERROR",
    `Fetching ${url} failed: ${message || code}.`,
    {
      next: "Check the url.",
      cause: error,
    },
  );
}

const META_BYTES = 4096;

/** Decodes a response by its byte order mark, header, meta element, or by its bytes. */
function decodeWebText(body: Buffer, contentType: string): { text: string; encoding: string } {
  const head = body.subarray(0, META_BYTES).toString("latin1");
  const declared = /charset\s*=\s*["']?([\w:.-]+)/i;
  const detected = detectEncoding(body.subarray(0, 65_536));
  const marked = detected !== undefined && detected.bomBytes > 0 ? detected.name : undefined;
  const labels = [
    marked,
    declared.exec(contentType)?.[1],
    /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(head)?.[1] ??
      /<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1],
    detected?.name,
    "utf-8",
  ];
  for (const label of labels) {
    const decoder = label === undefined ? undefined : createDecoder(label);
    if (decoder !== undefined) return { text: decoder.decode(body), encoding: decoder.encoding };
  }
  return { text: body.toString(), encoding: "utf-8" };
}

function createDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // a label nobody knows
  }
}
