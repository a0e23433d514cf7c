import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, formats, prose, records, settings, snapshot } from "./made/documents.mjs";
import { kubectl, strace, terraform } from "./made/infrastructure.mjs";
import { blob, xml } from "./made/markup.mjs";
import { dependencies, lock } from "./made/packages.mjs";
import { history, listing } from "./made/paths.mjs";
import { coverage, measures } from "./made/tables.mjs";

const MAKERS = {
  terraform,
  strace,
  kubectl,
  coverage,
  measures,
  dependencies,
  lock,
  xml,
  blob,
  listing,
  history,
  settings,
  formats,
  prose,
  records,
  describe,
  snapshot,
};
const OF_EACH = 6;
const OUTPUTS = new URL("../fixtures/outputs/", import.meta.url);

/** Made outputs by kind, each with the lines that must show (`must`), also with its question (`asked`). */
export function madeCases() {
  return Object.entries(MAKERS).flatMap(([kind, make]) =>
    Array.from({ length: OF_EACH }, (_, seed) => ({ kind, name: `${kind} ${seed}`, ...make(seed) })),
  );
}

/** Outputs of real tools; one file of previews for each first word of their names. */
export function recordedCases() {
  const labels = ["labels.json", "tools.json"].flatMap((file) =>
    JSON.parse(readFileSync(new URL(file, OUTPUTS), "utf8")),
  );
  return readdirSync(OUTPUTS)
    .filter((file) => file.endsWith(".gz"))
    .sort()
    .map((file) => ({
      kind: `recorded-${file.slice(0, 1) < "k" ? "a-j" : "k-z"}`,
      name: file.replace(/\.gz$/, ""),
      text: gunzipSync(readFileSync(new URL(file, OUTPUTS))).toString("utf8"),
      question: labels.find((label) => label.file === file)?.query ?? "what failed, and where?",
    }));
}
