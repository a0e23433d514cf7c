import { createReadStream, fstatSync, read } from "node:fs";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { messageOf, SpillwayError } from "../errors.ts";
import type { Outcome } from "../gate/types.ts";
import type { TakeChunk } from "../process/drain.ts";
import { openPipeReader } from "../process/pipe-reader.ts";

const FILE_BUFFER_BYTES = 512 * 1024;
const STDIN = 0;

const readFile = promisify(read);

/** Hands all of standard input on; an input that breaks off is a failure, with what came before it kept. */
export function readStandardInput(onChunk: TakeChunk): Promise<Outcome> {
  const kind = fstatSync(STDIN);
  if (kind.isFile() || kind.isDirectory()) return readOpenFile(STDIN, onChunk);
  return readInput(kind.isFIFO() || kind.isSocket() ? openPipeReader(STDIN) : process.stdin, onChunk);
}

/** Hands on all of a file, or of standard input without one or with "-"; rejects for what cannot be read. */
export async function readFileOrInput(file: string | undefined, onChunk: TakeChunk): Promise<void> {
  const outcome =
    file === undefined || file === "-"
      ? await readStandardInput(onChunk)
      : await readInput(createReadStream(file, { highWaterMark: 1 << 18 }), onChunk);
  if (outcome.kind !== "success")
    throw new SpillwayError("ARTIFACT_NOT_FOUND", `cannot read ${file ?? "standard input"}: ${outcome.message}.`);
}

/** The same for a stream. */
export function readInput(input: Readable, onChunk: TakeChunk): Promise<Outcome> {
  return new Promise((resolve) => {
    input.on("data", (chunk: Uint8Array) => {
      const waiting = onChunk(chunk);
      if (waiting === undefined) return;
      input.pause();
      void waiting.then(() => input.resume());
    });
    input.once("end", () => resolve({ kind: "success" }));
    input.once("error", (error) => resolve(brokenOff(error)));
  });
}

async function readOpenFile(fd: number, onChunk: TakeChunk): Promise<Outcome> {
  const buffer = Buffer.allocUnsafeSlow(FILE_BUFFER_BYTES);
  try {
    for (;;) {
      const { bytesRead } = await readFile(fd, buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { kind: "success" };
      await onChunk(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    return brokenOff(error);
  }
}

function brokenOff(error: unknown): Outcome {
  const message = `reading failed: ${messageOf(error)}`;
  return { kind: "failure", message, cutShort: message };
}
