import path from "node:path";
import ts from "typescript";
import { PROJECT } from "../support/build.ts";

/** One name that an entry of the package exports. */
export interface PublicName {
  readonly name: string;
  /** True when it exists at run time. */
  readonly value: boolean;
  /** File that declares it, below `src/`, and its own name there: two entries with one name must agree in this. */
  readonly origin: string;
  /** The declaration without comments and bodies. */
  readonly shape: string;
  /** What its comment says. */
  readonly said: string;
  /** The declaration for readers: a type with the comments of its members. */
  readonly commented: string;
}

const FLAGS =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
const printer = ts.createPrinter({ removeComments: true });

/** What each entry file exports, by the compiler's own knowledge of the sources. */
export function readPublicNames(entries: readonly string[]): ReadonlyMap<string, readonly PublicName[]> {
  const { config } = ts.readConfigFile(path.join(PROJECT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, PROJECT);
  const files = entries.map((entry) => path.join(PROJECT, entry));
  const program = ts.createProgram(files, { ...options, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  return new Map(
    entries.map((entry, index) => {
      const source = program.getSourceFile(files[index] ?? "");
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${entry} exports nothing.`);
      const names = checker.getExportsOfModule(module).map((symbol) => describe(symbol, checker));
      return [entry, names.sort((a, b) => (a.name < b.name ? -1 : 1))];
    }),
  );
}

/** The types of ours that exported declarations name, and those that these name, as far as no entry exports them. */
export function readInnerTypes(entries: readonly string[]): readonly PublicName[] {
  const { config } = ts.readConfigFile(path.join(PROJECT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, PROJECT);
  const files = entries.map((entry) => path.join(PROJECT, entry));
  const program = ts.createProgram(files, { ...options, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const exported = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    return module === undefined ? [] : checker.getExportsOfModule(module).map((symbol) => aliased(symbol, checker));
  });
  const seen = new Set(exported);
  for (const symbol of seen) for (const named of namedBy(symbol, checker)) seen.add(named);
  const inner = [...seen].slice(new Set(exported).size).map((symbol) => describe(symbol, checker));
  return inner.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.origin < b.origin ? -1 : 1));
}

/** True for what the declarations of the package leave out. */
function isInternal(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
}

function aliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The types of ours in a declaration, bodies and private members aside. */
function namedBy(symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isPrivateIdentifier(node) || isInternal(node)) return;
    if (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name)) return;
    if (ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const given = name && checker.getSymbolAtLocation(name);
    const target = given && aliased(given, checker);
    const [declaration] = target?.declarations ?? [];
    const isType =
      declaration !== undefined &&
      (ts.isInterfaceDeclaration(declaration) ||
        ts.isTypeAliasDeclaration(declaration) ||
        ts.isClassDeclaration(declaration));
    if (target !== undefined && isType && declaration.getSourceFile().fileName.startsWith(path.join(PROJECT, "src")))
      found.push(target);
    ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) {
    if (ts.isVariableDeclaration(declaration)) {
      if (declaration.type !== undefined) visit(declaration.type);
    } else visit(declaration);
  }
  return found;
}

function describe(exported: ts.Symbol, checker: ts.TypeChecker): PublicName {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) throw new Error(`${exported.name} is declared nowhere.`);
  const file = path.relative(path.join(PROJECT, "src"), declaration.getSourceFile().fileName).replaceAll("\\", "/");
  const typeOnly = exported.declarations?.every(
    (node) => ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly),
  );
  return {
    name: exported.name,
    value: (symbol.flags & ts.SymbolFlags.Value) !== 0 && typeOnly !== true,
    origin: `${file}#${symbol.name}`,
    shape: (symbol.declarations ?? []).map((node) => shapeOf(node, symbol, checker)).join("\n"),
    said: ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, " ").trim(),
    commented: (symbol.declarations ?? []).map((node) => commentedOf(node, symbol, checker)).join("\n"),
  };
}

function commentedOf(node: ts.Declaration, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const type = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  return type ? textOf(node).replace(/^export /, "") : shapeOf(node, symbol, checker);
}

/** The text of a type, without its internal members. */
function textOf(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): string {
  const members = ts.isInterfaceDeclaration(node) ? node.members.filter(isInternal) : [];
  return members.reduceRight((text, member) => text.replace(member.getFullText(), ""), node.getText());
}

function shapeOf(node: ts.Declaration, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  if (ts.isFunctionDeclaration(node)) {
    const signature = checker.getSignatureFromDeclaration(node);
    const overloaded = (symbol.declarations?.length ?? 0) > 1 && node.body !== undefined;
    return signature === undefined || overloaded
      ? ""
      : `function ${symbol.name}${checker.signatureToString(signature, node, FLAGS)}`;
  }
  if (ts.isClassDeclaration(node)) return `class ${symbol.name} {\n${classMembers(node, checker).join("\n")}\n}`;
  if (ts.isVariableDeclaration(node))
    return `const ${symbol.name}: ${checker.typeToString(checker.getTypeAtLocation(node), node, FLAGS)}`;
  const shown = ts.isInterfaceDeclaration(node)
    ? ts.factory.updateInterfaceDeclaration(
        node,
        node.modifiers,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members.filter((member) => !isInternal(member)),
      )
    : node;
  return printer.printNode(ts.EmitHint.Unspecified, shown, node.getSourceFile()).replace(/^export /, "");
}

function classMembers(node: ts.ClassDeclaration, checker: ts.TypeChecker): readonly string[] {
  return node.members.flatMap((member) => {
    const hidden = ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
    if (hidden !== 0 || isInternal(member) || (member.name !== undefined && ts.isPrivateIdentifier(member.name)))
      return [];
    if (ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member)) {
      const signature = checker.getSignatureFromDeclaration(member);
      const name = ts.isConstructorDeclaration(member) ? "constructor" : member.name.getText();
      return signature === undefined ? [] : [`    ${name}${checker.signatureToString(signature, member, FLAGS)};`];
    }
    if (member.name === undefined) return [];
    const type = checker.typeToString(checker.getTypeAtLocation(member), member, FLAGS);
    return [`    ${member.name.getText()}: ${type};`];
  });
}
