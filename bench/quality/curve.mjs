import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { keptKeys } from "./kept-keys.mjs";
import { casesOf, corpora } from "./labelled-cases.mjs";

// How much of what matters a preview keeps for the tokens that it costs, at budgets of 1 to 16 KB: a table, and a picture
// beside this file. CURVE_EVERY=4 takes every fourth case.
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const home = path.resolve(process.env.SPILLWAY_HOME ?? root);
const { preview, estimateTokens } = await import(pathToFileURL(path.join(home, "dist", "preview.mjs")).href);
const BUDGETS = [1024, 2048, 4096, 8192, 16_384];
const every = Number(process.env.CURVE_EVERY ?? 1);
const folders = corpora(root);
if (folders.length === 0) {
  process.stdout.write("No labelled outputs: skipped. Set SPILLWAY_CORPUS to folders with index.json and cases.\n");
  process.exit(0);
}
const { preview: errorWords } = await import(
  pathToFileURL(path.join(folders[0], "baselines", "errgrep_tail.mjs")).href
);

const own = (strategy) => (text, maxBytes) => preview(text, { strategy, maxBytes, maxLines: 2000 }).text;
const series = [
  {
    name: "smart, with the question",
    color: "#0a6",
    show: (text, maxBytes, query) => preview(text, { strategy: "smart", maxBytes, maxLines: 2000, query }).text,
  },
  { name: "smart", color: "#06c", show: own("smart") },
  {
    name: "error words + tail",
    color: "#c60",
    show: (text, maxBytes) => errorWords(text, { maxBytes, maxLines: 2000 }),
  },
  { name: "tail", color: "#888", show: own("tail") },
  { name: "head and tail", color: "#a4a", show: own("head_tail") },
  { name: "head", color: "#333", show: own("head") },
];

const cases = folders.flatMap(casesOf).filter((_, index) => index % every === 0);
for (const one of series) one.points = BUDGETS.map(() => ({ share: 0, core: 0, tokens: 0 }));
for (const { read } of cases) {
  const { keys, question, text } = read();
  for (const { show, points } of series) {
    BUDGETS.forEach((budget, index) => {
      const shown = show(text, budget, question);
      const kept = keptKeys(keys, shown);
      const core = kept.filter((_, at) => keys[at].core);
      points[index].share += (100 * core.filter(Boolean).length) / core.length / cases.length;
      points[index].core += core.includes(false) ? 0 : 100 / cases.length;
      points[index].tokens += estimateTokens(shown) / cases.length;
    });
  }
}

process.stdout.write(
  `${cases.length} cases\n\n| way | ${BUDGETS.map((budget) => `${budget / 1024} KB`).join(" | ")} |\n|---|${"---|".repeat(5)}\n`,
);
for (const { name, points } of series) {
  const cells = points.map(({ share, core, tokens }) => {
    return `${share.toFixed(1)} / ${core.toFixed(1)}, ${Math.round(tokens)} tokens, ${((1000 * share) / tokens).toFixed(0)}`;
  });
  process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`);
}
writeFileSync(path.join(here, "curve.svg"), draw());

/** Core keys kept over the tokens spent, on a scale that doubles. */
function draw() {
  const [width, height, left, top, bottom] = [860, 460, 60, 50, 56];
  const all = series.flatMap(({ points }) => points.map(({ tokens }) => tokens));
  const [low, high] = [Math.log2(Math.min(...all) * 0.9), Math.log2(Math.max(...all) * 1.05)];
  const x = (tokens) => left + ((Math.log2(tokens) - low) / (high - low)) * (width - left - 190);
  const y = (share) => top + ((100 - share) / 100) * (height - top - bottom);
  const grid = [0, 20, 40, 60, 80, 100].map(
    (share) =>
      `<path d="M${left} ${y(share)}H${width - 190}" stroke="#ddd"/><text x="${left - 8}" y="${y(share) + 4}" text-anchor="end" fill="#555">${share} %</text>`,
  );
  const ticks = [250, 500, 1000, 2000, 4000]
    .filter((tokens) => Math.log2(tokens) > low && Math.log2(tokens) < high)
    .map((tokens) => `<text x="${x(tokens)}" y="${height - 34}" text-anchor="middle" fill="#555">${tokens}</text>`);
  const lines = series.map(({ name, color, points }) => {
    const places = points.map(({ tokens, share }) => `${x(tokens).toFixed(1)},${y(share).toFixed(1)}`);
    const dots = points.map(
      ({ tokens, share }) => `<circle cx="${x(tokens).toFixed(1)}" cy="${y(share).toFixed(1)}" r="3" fill="${color}"/>`,
    );
    const last = points.at(-1);
    return `<polyline fill="none" stroke="${color}" stroke-width="2" points="${places.join(" ")}"/>${dots.join("")}<text x="${(x(last.tokens) + 8).toFixed(1)}" y="${(y(last.share) + 4).toFixed(1)}" fill="${color}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${left}" y="26" font-size="17" fill="#222">Key lines kept, by the tokens of a preview (1, 2, 4, 8, 16 KB; ${cases.length} outputs)</text>
${[...grid, ...ticks].join("\n")}
<text x="${(width + left) / 2 - 95}" y="${height - 10}" text-anchor="middle" fill="#555">tokens of the preview, on average</text>
${lines.join("\n")}
</svg>
`;
}
