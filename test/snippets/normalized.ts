const ID = "0mwid00000000000000000";

/** What differs from run to run is set to one value. */
export function normalized(text: string, root: string): string {
  return text
    .replaceAll(root, "/shop")
    .replaceAll(/(?<=tool_)\d{8}_\d{6}(?=_)/g, "20261115_120000")
    .replaceAll(/\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+Z)?/g, "2026-11-15$112:00:00")
    .replaceAll(/(?<![0-9a-z])0[0-9a-z]{20,21}(?![0-9a-z])/g, ID)
    .replaceAll(/"time_ms": ?\d+/g, '"time_ms": 20')
    .replaceAll(/ in \d+ ms/g, " in 20 ms")
    .trimEnd();
}

/** What a page says of how much was chosen and how long things are may move on; everything else may not. */
export function comparable(text: string): string {
  return text
    .replaceAll(/[\d,]+(?= tokens| → | bytes dropped| were read back)/g, "#")
    .replaceAll(/"kept_(lines|bytes)": \d+/g, '"kept_$1": #')
    .replaceAll(/[\d,]+(?= of [\d,]+ (lines|bytes))/g, "#")
    .replaceAll(/(?<=offset=|cut to )[\d,]+/g, "#")
    .replaceAll(/(?<="preview": ").*(?="$)/gm, "#");
}

/** JSON as the pages show it: what fits a line stands on one, long texts are shortened. */
export function pageJson(value: unknown, indent = "", width = 150): string {
  const flat = JSON.stringify(shortened(value), null, 1).replaceAll(/\n\s*/g, " ");
  if (indent.length + flat.length <= width || typeof value !== "object" || value === null) return flat;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const lines = Object.entries(value).map(([key, each]) => {
    const label = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    return `${inner}${label}${pageJson(each, inner, width - label.length)}`;
  });
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function shortened(value: unknown): unknown {
  if (typeof value !== "string" || value.length < 1000) return value;
  return `${value.slice(0, 80)} … (shortened here) … ${value.slice(-40)}`;
}
