import { createHash } from "node:crypto";
import type * as FastCheck from "fast-check";
import { expect, vi } from "vitest";

/** Set by the free search: the time in seconds that it spends on one property. */
const fuzzSeconds = process.env.SPILLWAY_FUZZ_SECONDS;
/** A seed that was printed with a find, to see it again. */
const given = process.env.SPILLWAY_SEED;
const FUZZ_FACTOR = 100;

// Mocked, since a test's own number of runs wins over the library's global configuration; and made only for the files
// that ask for the library.
vi.mock("fast-check", async (importOriginal) => {
  const real = await importOriginal<typeof FastCheck>();
  const assert = <Values>(property: FastCheck.IRawProperty<Values>, parameters: FastCheck.Parameters<Values> = {}) =>
    real.assert(property, { seed: seed(), ...(fuzzSeconds === undefined ? parameters : searching(parameters)) });
  return { ...real, assert, default: { ...real.default, assert } };
});

/** The same for a test on every day, another for each test; in the free search always a new one. */
function seed(): number {
  if (given !== undefined) return Number(given);
  if (fuzzSeconds !== undefined) return Math.floor(Math.random() * 0x1_0000_0000) - 0x8000_0000;
  return createHash("sha256")
    .update(expect.getState().currentTestName ?? "")
    .digest()
    .readInt32BE();
}

function searching<Values>(parameters: FastCheck.Parameters<Values>): FastCheck.Parameters<Values> {
  const numRuns = (parameters.numRuns ?? 100) * FUZZ_FACTOR;
  return { ...parameters, numRuns, interruptAfterTimeLimit: Number(fuzzSeconds) * 1000 };
}
