import { parentPort, workerData } from "node:worker_threads";
import { answerQuery, type QueryRequest } from "./answer-query.ts";
import type { FromQueryWorker } from "./query-file.ts";

const post = (message: FromQueryWorker): void => parentPort?.postMessage(message);
let last = 0;

answerQuery(workerData as QueryRequest, (readBytes, totalBytes) => {
  if (readBytes - last < 8 * 1024 * 1024) return;
  last = readBytes;
  post({ readBytes, totalBytes });
}).then(
  (answer) => post({ answer }),
  (error: Error & { code?: string }) => post({ failure: { code: error.code, message: error.message } }),
);
