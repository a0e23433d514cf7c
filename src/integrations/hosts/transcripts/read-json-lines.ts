import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseJson } from "../../../bytes/json/parse-json.ts";

/** The values of a file with one JSON value a line; a line that is none, such as one half written, is passed over. */
export async function* readJsonLines(file: string): AsyncIterable<unknown> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield* parseLine(line);
}

/** The same for the last so many bytes, without the line that they begin in. */
export async function readLastJsonLines(file: string, bytes: number): Promise<readonly unknown[]> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - from);
    await handle.read(buffer, 0, buffer.length, from);
    const lines = buffer.toString().split("\n");
    return (from === 0 ? lines : lines.slice(1)).flatMap(parseLine);
  } finally {
    await handle.close();
  }
}

function parseLine(line: string): unknown[] {
  const value = parseJson(line);
  return value === undefined ? [] : [value];
}
