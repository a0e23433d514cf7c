import { parentPort, workerData } from "node:worker_threads";
import { armsOf } from "./arms.mjs";

// One arm in a thread of its own, so that one that takes too long can be ended.
const show = await armsOf("")
  .find(({ name }) => name === workerData)
  .load();
parentPort.postMessage("ready");
parentPort.on("message", async ({ text, file, folder, question }) => {
  try {
    parentPort.postMessage({ shown: await show(text, file, folder, question) });
  } catch (error) {
    parentPort.postMessage({ failed: String(error) });
  }
});
