import { createReadStream, fstatSync, read } from "node:fs";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { plainReason } from "../artifacts/store-failure.ts";
import { SpillwayError } from "../errors.ts";
import type { Outcome } from "../gate/types.ts";
import { PLATFORM } from "../platform/platform.ts";
import type { TakeChunk } from "../process/drain.ts";
import { openPipeReader } from "../process/pipe-reader.ts";

const FILE_BUFFER_BYTES = 512 * 1024;
const STDIN = 0;

const readFile = promisify(read);

/** Hands all of standard input on; how its writer ended cannot be seen. An input that breaks off is a failure, with what came before it kept. */
export async function readStandardInput(onChunk: TakeChunk): Promise<Outcome> {
  try {
    await readAll(undefined, onChunk);
    return { kind: "success", unseen: true };
  } catch (error) {
    const message = `reading failed: ${plainReason(error)}`;
    return { kind: "failure", message, cutShort: message };
  }
}

/** Hands on all of a file, or of standard input without one or with "-"; rejects for what cannot be read. */
export async function readFileOrInput(file: string | undefined, onChunk: TakeChunk): Promise<void> {
  const named = file === "-" ? undefined : file;
  try {
    await readAll(named, onChunk);
  } catch (error) {
    const message = `cannot read ${named ?? "standard input"}: ${plainReason(error)}.`;
    throw new SpillwayError("ARTIFACT_NOT_FOUND", message, { cause: error });
  }
}

function readAll(file: string | undefined, onChunk: TakeChunk): Promise<void> {
  if (file !== undefined) return readStream(createReadStream(file, { highWaterMark: 1 << 18 }), onChunk);
  const kind = fstatSync(STDIN);
  if (kind.isFile() || kind.isDirectory()) return readOpenFile(STDIN, onChunk);
  const pipe = PLATFORM.readsPipes && (kind.isFIFO() || kind.isSocket());
  return readStream(pipe ? openPipeReader(STDIN) : process.stdin, onChunk);
}

function readStream(input: Readable, onChunk: TakeChunk): Promise<void> {
  return new Promise((resolve, reject) => {
    input.on("data", (chunk: Uint8Array) => {
      const waiting = onChunk(chunk);
      if (waiting === undefined) return;
      input.pause();
      void waiting.then(() => input.resume());
    });
    input.once("end", resolve);
    input.once("error", reject);
  });
}

async function readOpenFile(fd: number, onChunk: TakeChunk): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(FILE_BUFFER_BYTES);
  for (;;) {
    const { bytesRead } = await readFile(fd, buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    await onChunk(buffer.subarray(0, bytesRead));
  }
}
