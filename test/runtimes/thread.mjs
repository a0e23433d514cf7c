// Makes a preview in a web worker, as browsers, Bun and Deno have them, and prints it.
import { preview } from "spillway/preview";

const inside = typeof self !== "undefined" && typeof document === "undefined" && typeof self.postMessage === "function";
const isWorker = inside && (globalThis.Bun ? !Bun.isMainThread : "WorkerGlobalScope" in globalThis);

if (isWorker) {
  self.onmessage = ({ data }) => self.postMessage(preview(data, { strategy: "smart", maxBytes: 2000 }).text);
} else {
  const worker = new Worker(new URL("./thread.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    console.log(data);
    worker.terminate();
  };
  const rows = Array.from({ length: 20_000 }, (_, at) =>
    at === 7000 ? "ERROR disk 7 is full" : `row ${at} was copied`,
  );
  worker.postMessage(rows.join("\n"));
}
