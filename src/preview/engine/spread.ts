/** Its multiples fall evenly between whole numbers, in step with nothing. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** So many lines, evenly spread but not evenly spaced: of a text that repeats itself, every kind of line is among them. */
export function spread(lines: readonly string[], count: number): readonly string[] {
  if (lines.length <= count) return lines;
  const step = lines.length / count;
  return Array.from(
    { length: count },
    (_, index) => lines[Math.floor((index + ((index * GOLDEN) % 1)) * step)] as string,
  );
}
