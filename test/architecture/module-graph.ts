import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** One import of a file: of another file (its path below the folder, POSIX) or of a package. */
export interface ModuleImport {
  readonly file: string;
  readonly target: string;
  readonly package: boolean;
  /** False when only types are taken, which leave no trace at run time. */
  readonly value: boolean;
}

/** All TypeScript files below a folder, relative to it, POSIX. */
export function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}

/** What each file imports or re-exports, by a statement or by `import()`. */
export function importsOf(folder: string, files: readonly string[]): readonly ModuleImport[] {
  return files.flatMap((file) => importsIn(file, readFileSync(path.join(folder, file), "utf8")));
}

/** The same of one file's text. */
export function importsIn(file: string, text: string): readonly ModuleImport[] {
  const found: ModuleImport[] = [];
  const add = (specifier: ts.Node | undefined, value: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    const external = !specifier.text.startsWith(".");
    const target = external ? specifier.text : path.posix.join(path.posix.dirname(file), specifier.text);
    found.push({ file, target, package: external, value });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, takesValue(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, reexportsValue(node));
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], true);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, false);
    else if (deep) ts.forEachChild(node, visit);
  };
  // Only `import()` can stand anywhere but at the top.
  const deep = /\bimport\(/.test(text);
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.forEach(visit);
  return found;
}

function takesValue(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return true;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return false;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || ts.isNamespaceImport(namedBindings)) return true;
  return namedBindings.elements.some((element) => !element.isTypeOnly);
}

function reexportsValue(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return false;
  const clause = node.exportClause;
  return clause === undefined || ts.isNamespaceExport(clause) || clause.elements.some((element) => !element.isTypeOnly);
}

/** Sets of files that load each other, each set sorted; empty when the graph has no cycle. */
export function findCycles(imports: readonly ModuleImport[]): readonly (readonly string[])[] {
  const edges = new Map<string, Set<string>>();
  for (const { file, target, package: external, value } of imports) {
    if (external || !value) continue;
    edges.set(file, (edges.get(file) ?? new Set()).add(target));
  }
  // Tarjan's algorithm: files from which the walk comes back to where it entered belong together.
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const walk = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file) ?? 0);
    stack.push(file);
    for (const target of edges.get(file) ?? []) {
      if (!order.has(target)) walk(target);
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const together = stack.splice(stack.indexOf(file));
    if (together.length > 1 || edges.get(file)?.has(file)) cycles.push(together.sort());
  };
  for (const file of edges.keys()) if (!order.has(file)) walk(file);
  return cycles.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/**
 * The same imports between neighbours: for each folder, what its files and subfolders take of each other. A subfolder
 * counts as one, whatever stands deeper in it.
 */
export function amongNeighbours(imports: readonly ModuleImport[]): readonly ModuleImport[] {
  return imports.flatMap((one) => {
    if (one.package) return [];
    const [from, to] = [one.file.split("/"), one.target.split("/")];
    const shared = from.findIndex((part, at) => part !== to[at]);
    const neighbour = (parts: readonly string[]) => parts.slice(0, shared + 1).join("/");
    return shared === -1 ? [] : [{ ...one, file: neighbour(from), target: neighbour(to) }];
  });
}
