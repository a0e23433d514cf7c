import { parentPort, workerData } from "node:worker_threads";
import type { HtmlJob } from "./convert-html.ts";
import { readHtml, stripPage } from "./html-text.ts";

const { html, url, format } = workerData as HtmlJob;
parentPort?.postMessage(format === "stripped" ? stripPage(html) : await readHtml(html, url, format));
