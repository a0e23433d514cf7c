const WIDTH = 860;
const HEIGHT = 420;
const LEFT = 80;
const RIGHT = 20;
const TOP = 50;
const BOTTOM = 50;

/** Lines over turns on a logarithmic scale of bytes, as SVG. */
export function renderChart({ title, series, line }) {
  const all = series.flatMap(({ values }) => values);
  const low = Math.floor(Math.log10(Math.min(...all)));
  const high = Math.ceil(Math.log10(Math.max(...all, line.value)));
  const turns = Math.max(...series.map(({ values }) => values.length)) - 1;
  const x = (turn) => LEFT + (turn / turns) * (WIDTH - LEFT - RIGHT);
  const y = (bytes) => TOP + ((high - Math.log10(bytes)) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const point = (bytes, turn) => `${x(turn).toFixed(1)},${y(bytes).toFixed(1)}`;
  const decades = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  const ticks = Array.from({ length: 5 }, (_, index) => Math.round((turns * index) / 4));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${LEFT}" y="26" font-size="17" fill="#222">${title}</text>
${decades.map((bytes) => `<path d="M${LEFT} ${y(bytes)}H${WIDTH - RIGHT}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y(bytes) + 4}" text-anchor="end" fill="#555">${name(bytes)}</text>`).join("\n")}
${ticks.map((turn) => `<text x="${x(turn)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="#555">${turn}</text>`).join("\n")}
<text x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - 10}" text-anchor="middle" fill="#555">turn</text>
<path d="M${LEFT} ${y(line.value)}H${WIDTH - RIGHT}" stroke="#888" stroke-dasharray="6 4"/>
<text x="${WIDTH - RIGHT}" y="${y(line.value) - 6}" text-anchor="end" fill="#666">${line.label}</text>
${series.map(({ label, color, values }, index) => `<polyline fill="none" stroke="${color}" stroke-width="2" points="${values.map(point).join(" ")}"/><text x="${LEFT + 12}" y="${TOP + 18 + index * 20}" fill="${color}">${label}: ${name(values.at(-1))} at the end</text>`).join("\n")}
</svg>
`;
}

function name(bytes) {
  if (bytes >= 1e6) return `${Number((bytes / 1e6).toPrecision(3))} MB`;
  return bytes >= 1e3 ? `${Number((bytes / 1e3).toPrecision(3))} KB` : `${bytes} B`;
}
