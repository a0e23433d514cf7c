import { assembleAsciiScanner, assembleNewlineCounter } from "../src/bytes/assembled-scanners.ts";
import { packBytes, packPlan } from "../src/preview/smart/log/packed-plan.ts";
import { assembleFinder } from "../src/preview/smart/log/prebuilt-finder.ts";
import { spellAllRules } from "../src/preview/smart/log/rules/prebuilt-rules.ts";
import { listUnfiltered, planWords } from "../src/preview/smart/log/rules/prebuilt-words.ts";

interface LoadPlugin {
  readonly name: string;
  load(id: string): string | undefined;
}

/**
 * What takes the place of a source, by how its path ends. In functions, since not all that is loaded is called, but for
 * long texts: an engine would read those in a function twice.
 */
const PREBUILT: Readonly<Record<string, () => string>> = {
  "src/bytes/assembled-scanners.ts": () =>
    [assembleAsciiScanner, assembleNewlineCounter]
      .map((made) => `export function ${made.name}() { return new Uint8Array([${made()}]); }`)
      .join("\n"),
  "src/preview/smart/log/prebuilt-finder.ts": () => `
import { unpackBytes } from "./packed-plan.ts";
const PACKED = ${JSON.stringify(packBytes(assembleFinder()))};
export function assembleFinder() { return unpackBytes(PACKED); }`,
  "src/preview/smart/log/rules/prebuilt-rules.ts": () => `
const SPELLED = ${JSON.stringify(spellAllRules())};
export function spellAllRules() { return SPELLED; }`,
  "src/preview/smart/log/rules/prebuilt-words.ts": () => `
import { unpackPlan } from "../packed-plan.ts";
const PACKED = ${spell(packPlan(planWords()))};
export function planWords() { return unpackPlan(PACKED); }
export function listUnfiltered() { return ${JSON.stringify(listUnfiltered())}; }`,
};

/** Puts what sources would make with their first use into the bundle, made beforehand. */
export function prebuiltPlans(): LoadPlugin {
  return {
    name: "prebuilt-plans",
    load(id) {
      const source = Object.keys(PREBUILT).find((path) => id.endsWith(path));
      return source === undefined ? undefined : PREBUILT[source]?.();
    },
  };
}

/** A character that JSON would escape can stand in a string of a script as it is. */
function spell(value: unknown): string {
  return JSON.stringify(value).replace(/\\u00([01][0-9a-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
