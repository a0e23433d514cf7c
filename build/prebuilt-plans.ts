import { assembleAsciiScanner, assembleNewlineCounter } from "../src/bytes/assembled-scanners.ts";
import { packBytes, packPlan } from "../src/preview/smart/log/packed-plan.ts";
import { assembleFinder, listUnfiltered, planWords } from "../src/preview/smart/log/prebuilt.ts";

interface LoadPlugin {
  readonly name: string;
  load(id: string): string | undefined;
}

/** Puts what sources would make with their first use into the bundle, made beforehand. */
export function prebuiltPlans(): LoadPlugin {
  return {
    name: "prebuilt-plans",
    load(id) {
      if (id.endsWith("src/bytes/assembled-scanners.ts")) {
        return [assembleAsciiScanner, assembleNewlineCounter]
          .map((made) => `export function ${made.name}() { return new Uint8Array([${made()}]); }`)
          .join("\n");
      }
      if (!id.endsWith("src/preview/smart/log/prebuilt.ts")) return undefined;
      // In functions, since only `smart` needs it.
      return `
import { unpackBytes, unpackPlan } from "./packed-plan.ts";
export function planWords() { return unpackPlan(${spell(packPlan(planWords()))}); }
export function assembleFinder() { return unpackBytes(${JSON.stringify(packBytes(assembleFinder()))}); }
export function listUnfiltered() { return ${JSON.stringify(listUnfiltered())}; }`;
    },
  };
}

/** A character that JSON would escape can stand in a string of a script as it is. */
function spell(value: unknown): string {
  return JSON.stringify(value).replace(/\\u00([01][0-9a-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
