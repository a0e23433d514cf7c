const LINES_A_CHUNK = 1000;

/** An output of so many lines, in chunks of a thousand. */
export function* chunksOf(lines) {
  for (let from = 0; from < lines; from += LINES_A_CHUNK) {
    const count = Math.min(LINES_A_CHUNK, lines - from);
    yield Buffer.from(Array.from({ length: count }, (_, at) => `line ${from + at} of what a tool printed\n`).join(""));
  }
}
