/** Samples of this many characters stand for a text that is too long to count whole. */
const SAMPLE_CHARS = 1024;
const SAMPLES = 64;
/** The tokenizer is quadratic on runs of one character, so these are counted in pieces. */
const LONGEST_RUN = 64;
const LONG_RUNS = new RegExp(`([^])\\1{${LONGEST_RUN},}`, "g");

/**
 * Loads an exact token counter (o200k_base). Texts above 64 KB are counted by 64 evenly spread samples of 1 KB.
 * The tokenizer's tables take some 30 MB of memory, so it is loaded only here.
 */
export async function loadTokenizer(): Promise<(text: string) => number> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const exact = (text: string): number => {
    let tokens = 0;
    let at = 0;
    for (const run of text.matchAll(LONG_RUNS)) {
      tokens += countPlain(text.slice(at, run.index)) + countRun(run[0]);
      at = run.index + run[0].length;
    }
    return tokens + countPlain(text.slice(at));
  };
  const countPlain = (text: string): number => (text === "" ? 0 : countTokens(text));
  const countRun = (run: string): number => {
    const whole = Math.floor(run.length / LONGEST_RUN);
    return whole * countTokens(run.slice(0, LONGEST_RUN)) + countPlain(run.slice(whole * LONGEST_RUN));
  };
  return (text) => {
    if (text.length <= SAMPLES * SAMPLE_CHARS) return exact(text);
    const step = (text.length - SAMPLE_CHARS) / (SAMPLES - 1);
    let sampled = 0;
    for (let index = 0; index < SAMPLES; index++) {
      const start = Math.floor(index * step);
      sampled += exact(text.slice(start, start + SAMPLE_CHARS));
    }
    return Math.ceil((sampled / (SAMPLES * SAMPLE_CHARS)) * text.length);
  };
}
