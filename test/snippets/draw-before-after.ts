const [PANEL, GAP, TOP, ROW, CHARACTERS] = [526, 18, 82, 20, 62];

interface Panel {
  readonly title: string;
  readonly command: string;
  readonly text: string;
}

/** Two outputs side by side as a terminal shows them, long lines cut at its edge; the line of the error stands out. */
export function drawBeforeAfter(panels: readonly Panel[]): string {
  const rows = Math.max(...panels.map(({ text }) => text.trimEnd().split("\n").length));
  const [width, height] = [GAP + panels.length * (PANEL + GAP), TOP + rows * ROW + 34];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">
<rect width="${width}" height="${height}" fill="#fff"/>
${panels.map((panel, at) => drawPanel(panel, GAP + at * (PANEL + GAP), height)).join("\n")}
</svg>
`;
}

function drawPanel({ title, command, text }: Panel, x: number, height: number): string {
  const lines = text.trimEnd().split("\n");
  const drawn = lines.map((line, at) => {
    const color = /error TS\d+/.test(line) ? "#ff8a80" : line.startsWith("…") ? "#8fa3b0" : "#e6edf0";
    const shown = line.length > CHARACTERS ? `${line.slice(0, CHARACTERS - 1)}›` : line;
    return `<text x="${x + 14}" y="${TOP + 34 + at * ROW}" fill="${color}" xml:space="preserve">${escaped(shown)}</text>`;
  });
  return `<text x="${x}" y="22" font-family="sans-serif" font-size="16" fill="#222">${escaped(title)}</text>
<rect x="${x}" y="32" width="${PANEL}" height="${height - 42}" rx="8" fill="#14202a"/>
${typed(command)
  .map(
    (part, at) =>
      `<text x="${x + 14}" y="${58 + at * ROW}" fill="#7fd1a8" xml:space="preserve">${escaped(part)}</text>`,
  )
  .join("\n")}
${drawn.join("\n")}`;
}

/** A command as somebody types it who breaks the line after the pipe; one that does not fit then is an error. */
function typed(command: string): readonly string[] {
  const [first = "", ...rest] = command.split(/(?<=\|) /);
  const lines = [`$ ${first}`, ...rest.map((part) => `    ${part}`)];
  const long = lines.find((line) => line.length > CHARACTERS);
  if (long !== undefined) throw new Error(`This does not fit into the picture: ${long}`);
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
