import { threadsModule } from "../../builtin-modules.ts";
import { invalidArgument, messageOf, SpillwayError, type SpillwayErrorCode } from "../../errors.ts";
import { workerFile } from "../../process/worker-file.ts";
import type { AnsweredQuery, QueryRequest } from "./answer-query.ts";
import type { Progress } from "./load-tables.ts";

export type FromQueryWorker =
  | { readonly readBytes: number; readonly totalBytes: number }
  | { readonly answer: AnsweredQuery }
  | { readonly failure: { readonly code: string | undefined; readonly message: string } };

/** Answers a question on a thread of its own, which can be ended at any time; in this thread if there is no worker file. */
export async function queryFile(request: QueryRequest, timeoutMs: number, progress?: Progress): Promise<AnsweredQuery> {
  const url = workerFile("query-worker");
  if (url === undefined) return (await import("./answer-query.ts")).answerQuery(request, progress);
  const { Worker } = threadsModule();
  const worker = new Worker(url, { workerData: request, execArgv: [] });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const fail = (message: string): void => reject(invalidArgument(message));
      timer = setTimeout(
        () => fail(`The query took longer than ${timeoutMs / 1000} s and was stopped. Ask for less.`),
        timeoutMs,
      );
      worker.on("message", (message: FromQueryWorker) => {
        if ("answer" in message) resolve(message.answer);
        else if ("failure" in message) {
          const { code, message: text } = message.failure;
          reject(new SpillwayError((code as SpillwayErrorCode | undefined) ?? "STORE_FAILED", text));
        } else progress?.(message.readBytes, message.totalBytes);
      });
      worker.on("error", (error: unknown) =>
        reject(new SpillwayError("STORE_FAILED", `The query failed: ${messageOf(error)}`, { cause: error })),
      );
      worker.on("exit", () => fail("The query ended without an answer; it may have needed too much memory."));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
