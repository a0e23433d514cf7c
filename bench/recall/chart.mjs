const [WIDTH, ROW, LEFT, TOP, BARS] = [900, 26, 230, 72, 430];

/** One bar an arm: answers seen in the first result, then (paler) what one search adds, and the bytes of both. */
export function renderChart(title, rows) {
  const height = TOP + rows.length * ROW + 20;
  const x = (percent) => LEFT + (percent / 100) * BARS;
  const grid = [0, 25, 50, 75, 100].map(
    (percent) =>
      `<path d="M${x(percent)} ${TOP - 6}V${height - 16}" stroke="#ddd"/><text x="${x(percent)}" y="${TOP - 12}" text-anchor="middle" fill="#555">${percent} %</text>`,
  );
  const bars = rows.map(({ name, smart, summary }, at) => {
    const y = TOP + at * ROW;
    const color = smart ? "#0a6" : "#678";
    const width = (percent) => ((percent / 100) * BARS).toFixed(1);
    return `<text x="${LEFT - 8}" y="${y + 14}" text-anchor="end" fill="#222">${name}</text>
<rect x="${LEFT}" y="${y + 2}" width="${width(summary.afterCore)}" height="16" fill="${color}" opacity="0.35"/>
<rect x="${LEFT}" y="${y + 2}" width="${width(summary.firstCore)}" height="16" fill="${color}"/>
<text x="${LEFT + BARS + 12}" y="${y + 14}" fill="#222">${kilobytes(summary.bytes)}, ${kilobytes(summary.totalBytes)} in all${summary.late > 0 ? `, ${summary.late} of ${summary.cases} late` : ""}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="12" y="20" font-size="15" fill="#222">All answer lines seen: in the first result (dark), and after one search of the file that it names (pale)</text>
<text x="12" y="38" fill="#555">${title}</text>
${[...grid, ...bars].join("\n")}
</svg>
`;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
