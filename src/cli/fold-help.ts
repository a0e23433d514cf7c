/** As far to the right as a column of descriptions may begin, as a share of the width. */
const COLUMN_SHARE = 0.65;

/** Lines no longer than `width`, broken between words; what follows a line stands below its description. */
export function foldHelp(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => foldLine(line, width))
    .join("\n");
}

function foldLine(line: string, width: number): string[] {
  const column = /^\s*\S.*?\S {2,}(?=\S)/.exec(line)?.[0].length ?? Number.POSITIVE_INFINITY;
  const described = column <= width * COLUMN_SHARE;
  const indent = line.length - line.trimStart().length;
  const hang = " ".repeat(described ? column : indent === 0 || indent > 10 ? indent : indent + 2);
  // A shell line goes on behind a backslash.
  const end = !described && /^ +(?:\$ )?(?:spillway|npx|cat|make|kubectl) /.test(line) ? " \\" : "";
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(" ", width - end.length);
    if (at <= hang.length) break;
    lines.push(rest.slice(0, at).trimEnd() + end);
    rest = hang + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}
