import path from "node:path";

/** A part of the package that is loaded when one of its functions is first called. */
export interface LatePart {
  /** The built file, beside the one that loads it. */
  readonly file: string;
  readonly functions: readonly string[];
}

interface LatePlugin {
  readonly name: string;
  resolveId(source: string, importer: string | undefined): string | undefined;
  load(id: string): string | undefined;
  renderChunk(code: string): string;
}

const VIRTUAL = "\0late-part:";
/** Stands for `require`, which the build would take for its own. */
const REQUIRE = "REQUIRE_LATE_PART";
/** Not in one word, which whatever bundles this very file would replace by its own address. */
const OWN_ADDRESS = ["import", "meta", "url"].join(".");

/**
 * Takes some sources, by their path in the project, from CommonJS files that are loaded when they are first needed; only
 * such files can be loaded without waiting. A bundler sees `require` with a name and puts the file into its bundle.
 */
export function lateParts(format: "esm" | "cjs", parts: Readonly<Record<string, LatePart>>): LatePlugin {
  return {
    name: "late-parts",
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith(".")) return undefined;
      const file = path.relative(process.cwd(), path.resolve(path.dirname(importer), source));
      return Object.hasOwn(parts, file) ? VIRTUAL + file : undefined;
    },
    load(id) {
      if (!id.startsWith(VIRTUAL)) return undefined;
      const { file, functions } = parts[id.slice(VIRTUAL.length)] as LatePart;
      const required = `${REQUIRE}(${JSON.stringify(file)})`;
      // A module has no `require` of its own, unless it was bundled.
      const loaded =
        format === "cjs"
          ? required
          : `typeof ${REQUIRE} === "function" ? ${required} : createRequire(${OWN_ADDRESS})(${JSON.stringify(file)})`;
      return `${format === "cjs" ? "" : 'import { createRequire } from "node:module";'}
let part;
function load() {
  return (part ??= ${loaded});
}
${functions.map((name) => `export function ${name}(...given) {\n  return load().${name}(...given);\n}`).join("\n")}`;
    },
    renderChunk: (code) => code.replaceAll(REQUIRE, "require"),
  };
}
