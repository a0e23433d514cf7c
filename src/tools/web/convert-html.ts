import { Worker } from "node:worker_threads";
import { workerFile } from "../../process/worker-file.ts";
import { type ReadablePage, readHtml, stripPage } from "./html-text.ts";

/** If extracting the article takes longer than this, the page's text is returned instead. */
const ARTICLE_MS = 10_000;

/** Input of the worker. */
export interface HtmlJob {
  readonly html: string;
  readonly url: string;
  readonly format: "markdown" | "text" | "stripped";
}

/** Runs `readHtml` on a thread that ends with the signal, whatever the page does. Rejects when aborted. */
export async function convertHtml(job: HtmlJob, signal: AbortSignal): Promise<ReadablePage> {
  const file = workerFile("html-worker");
  signal.throwIfAborted();
  if (file === undefined)
    return job.format === "stripped" ? stripPage(job.html) : readHtml(job.html, job.url, job.format);
  const page = await convertOn(file, job, signal);
  if (page !== undefined) return page;
  return (await convertOn(file, { ...job, format: "stripped" }, signal)) ?? stripPage(job.html);
}

/** Undefined if the thread fails or does not finish. */
async function convertOn(file: URL, job: HtmlJob, signal: AbortSignal): Promise<ReadablePage | undefined> {
  const worker = new Worker(file, { workerData: job, execArgv: [] });
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => void worker.terminate();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const page = await new Promise<ReadablePage | undefined>((resolve) => {
      worker.once("message", resolve);
      worker.once("error", () => resolve(undefined));
      worker.once("exit", () => resolve(undefined));
      if (job.format !== "stripped") timer = setTimeout(() => resolve(undefined), ARTICLE_MS);
    });
    signal.throwIfAborted();
    return page;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    void worker.terminate();
  }
}
