import path from "node:path";

interface ResolvePlugin {
  readonly name: string;
  resolveId(source: string, importer: string | undefined): { id: string; external: true } | undefined;
  renderChunk(code: string): string;
}

/**
 * Takes some sources from modules that are built already, by their path in the project. Bundles load them by what
 * `src/cli/compiled-loader.ts` gives them for it.
 */
export function fromModules(built: Readonly<Record<string, string>>): ResolvePlugin {
  return {
    name: "from-modules",
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith(".")) return undefined;
      const id = built[path.relative(process.cwd(), path.resolve(path.dirname(importer), source))];
      return id === undefined ? undefined : { id, external: true };
    },
    renderChunk: (code) =>
      Object.values(built).reduce(
        (changed, id) => changed.replaceAll(`import("${id}")`, `require.importModule("${id}")`),
        code,
      ),
  };
}
