import { once } from "node:events";
import { Worker } from "node:worker_threads";

const LOOK_EVERY_MS = 50;

/** An arm that is given so much processor time for each output; one that is late is ended and started anew for the next. */
export class TimedArm {
  #name;
  #limitMs;
  #worker;

  constructor(name, limitMs) {
    this.#name = name;
    this.#limitMs = limitMs;
  }

  /** What the arm shows of an output; undefined where it was late. Throws what the arm throws. */
  async show(request) {
    this.#worker ??= await startWorker(this.#name);
    const late = new AbortController();
    const start = process.cpuUsage();
    // The arm alone works meanwhile, and its own time does not grow with what else the machine does.
    const look = setInterval(() => {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1000 > this.#limitMs) late.abort();
    }, LOOK_EVERY_MS);
    try {
      this.#worker.postMessage(request);
      const [answer] = await once(this.#worker, "message", { signal: late.signal });
      if (answer.failed !== undefined) throw new Error(`${this.#name}: ${answer.failed}`);
      return answer.shown;
    } catch (error) {
      if (!late.signal.aborted) throw error;
      return await this.close();
    } finally {
      clearInterval(look);
    }
  }

  async close() {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

async function startWorker(name) {
  const worker = new Worker(new URL("arm-worker.mjs", import.meta.url), {
    workerData: name,
    stdout: true,
    stderr: true,
  });
  await once(worker, "message");
  return worker;
}
