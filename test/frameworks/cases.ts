import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { createSpillway, type Spillway } from "../../src/index.ts";
import type { SeenResult } from "../hosts/model/protocol.ts";
import { temporaryFolder } from "../support/folder.ts";
import type { Turn } from "./scripted-model.ts";

/** What every framework is tried with: limits, a question, and what its tools give. */
export const MAX_BYTES = 8000;
export const QUESTION = "Why did the deployment to the staging cluster stop?";
const ANSWER = "release held: quota of staging is used up (needs 14 GiB, has 9 GiB)";
const ERROR =
  "src/net.ts(812,9): error TS2345: Argument of type 'string' is not assignable to parameter of type 'URL'.";

/** 3 MB in which one line is an error and another answers the question. */
export const LOG = Array.from({ length: 40_000 }, (_, at) => {
  if (at === 21_000) return ERROR;
  if (at === 30_000) return ANSWER;
  return `[12:00:${String(at % 60).padStart(2, "0")}] compiling module ${at} of 40000 into the build cache, ok`;
}).join("\n");

/** What a tool throws: as long, and different. */
export const FAILURE = `the build ended with exit code 2\n${LOG.replaceAll("compiling", "checking")}`;

/** A PNG of one point. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A gate whose artifacts are in a folder of their own; `saved` says what they hold, to the byte. */
export function testGate(name: string): { readonly spillway: Spillway; saved(): string[] } {
  // Some frameworks put the kind of an error before its message.
  const known = new Map([LOG, FAILURE].map((text, at) => [text, ["log", "failure"][at]!]));
  const root = temporaryFolder(`framework-${name}`);
  const folder = join(root, ".agents", "tool-output");
  return {
    spillway: createSpillway({ root, config: false, env: {}, maxBytes: MAX_BYTES }),
    saved: () =>
      readdirSync(folder)
        .filter((file) => file.startsWith("tool_"))
        .map((file) => readFileSync(join(folder, file), "utf8"))
        .map(
          (text) =>
            known.get(text.replace(/^Error( in tool '\w+')?: /, "")) ??
            `${text.length} other characters: ${text.slice(0, 200)}`,
        )
        .sort(),
  };
}

/** Bounded, with the error and the answer in sight, and a way to the rest that the model can go. */
export function expectBounded({ text }: SeenResult, { question = true, mostBytes = MAX_BYTES } = {}): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(mostBytes);
  expect(Buffer.byteLength(text)).toBeGreaterThan(1000);
  expect(text).toContain(ERROR);
  if (question) expect(text).toContain(ANSWER);
  expect(text).toMatch(/spillway_read\(id=/);
}

/** The model does what the notice says: it asks the reader for the artifact that the last result names. */
export const readBack: Turn = (seen) => {
  const id = /spillway_read\(id=\\?"([0-9a-z]{22})/.exec(seen.at(-1)?.text ?? "")?.[1] ?? "no id";
  return [{ tool: "spillway_read", input: { id, pattern: "used up" } }];
};

/** What the reader gave. */
export function expectRead({ text }: SeenResult): void {
  expect(text).toContain(`30001:${ANSWER}`);
  expect(text).toContain("[1 match in 1 line]");
}

export const call =
  (tool: string, input: Readonly<Record<string, unknown>> = {}): Turn =>
  () => [{ tool, input }];

/** What the model was sent of results, summed over all requests: no request may hold a whole output. */
export function expectSmallRequests(requests: readonly string[], most: number): void {
  expect(requests.length).toBeGreaterThan(0);
  for (const request of requests) expect(Buffer.byteLength(request)).toBeLessThanOrEqual(most);
}
