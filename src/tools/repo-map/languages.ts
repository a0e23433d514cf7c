import { ownValue } from "../../bytes/own-value.ts";

/** How definitions are found in a language. */
export interface LanguageRules {
  /** Name of the grammar's file, without "tree-sitter-" and extension. */
  readonly grammar: string;
  /** True if other files can only use exported names, in files that export or import at all. */
  readonly exportsByKeyword?: true;
  /** Tree-sitter query; captures `@def` on the names that are defined. */
  readonly definitions: string;
}

const named = (types: readonly string[], name: string) =>
  types.map((type) => `(${type} name: (${name}) @def)`).join("\n");

const TOP_LEVEL_VALUES = `
  (program (lexical_declaration (variable_declarator name: (identifier) @def)))
  (program (export_statement (lexical_declaration (variable_declarator name: (identifier) @def))))`;

const typescript = (grammar: string): LanguageRules => ({
  grammar,
  exportsByKeyword: true,
  definitions: `
    (function_declaration name: (identifier) @def)
    (generator_function_declaration name: (identifier) @def)
    (enum_declaration name: (identifier) @def)
    (method_definition name: (property_identifier) @def)
    ${named(["class_declaration", "abstract_class_declaration", "interface_declaration", "type_alias_declaration"], "type_identifier")}
    ${TOP_LEVEL_VALUES}`,
});

const TYPESCRIPT = typescript("typescript");
const TSX = typescript("tsx");

const JAVASCRIPT: LanguageRules = {
  grammar: "javascript",
  exportsByKeyword: true,
  definitions: `
    ${named(["function_declaration", "generator_function_declaration", "class_declaration"], "identifier")}
    (method_definition name: (property_identifier) @def)
    ${TOP_LEVEL_VALUES}`,
};

const PYTHON: LanguageRules = {
  grammar: "python",
  definitions: named(["function_definition", "class_definition"], "identifier"),
};

const GO: LanguageRules = {
  grammar: "go",
  definitions: `
    (function_declaration name: (identifier) @def)
    (method_declaration name: (field_identifier) @def)
    (type_spec name: (type_identifier) @def)`,
};

const RUST: LanguageRules = {
  grammar: "rust",
  definitions: `
    ${named(["function_item", "macro_definition", "const_item", "static_item"], "identifier")}
    ${named(["struct_item", "enum_item", "trait_item", "type_item"], "type_identifier")}`,
};

const JAVA: LanguageRules = {
  grammar: "java",
  definitions: named(
    ["class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "method_declaration"],
    "identifier",
  ),
};

const CPP: LanguageRules = {
  grammar: "cpp",
  definitions: `
    (function_declarator declarator: (identifier) @def)
    (function_declarator declarator: (field_identifier) @def)
    (function_declarator declarator: (qualified_identifier name: (identifier) @def))
    (class_specifier name: (type_identifier) @def body: (_))
    (struct_specifier name: (type_identifier) @def body: (_))
    (enum_specifier name: (type_identifier) @def body: (_))
    (preproc_function_def name: (identifier) @def)`,
};

const CSHARP: LanguageRules = {
  grammar: "c-sharp",
  definitions: named(
    ["class_declaration", "interface_declaration", "struct_declaration", "enum_declaration", "method_declaration"],
    "identifier",
  ),
};

const RUBY: LanguageRules = {
  grammar: "ruby",
  definitions: `
    (method name: (_) @def)
    (singleton_method name: (_) @def)
    ${named(["class", "module"], "constant")}`,
};

const PHP: LanguageRules = {
  grammar: "php",
  definitions: named(
    ["function_definition", "class_declaration", "interface_declaration", "trait_declaration", "method_declaration"],
    "name",
  ),
};

const BASH: LanguageRules = {
  grammar: "bash",
  definitions: named(["function_definition"], "word"),
};

const BY_EXTENSION: Readonly<Record<string, LanguageRules>> = {
  ts: TYPESCRIPT,
  mts: TYPESCRIPT,
  cts: TYPESCRIPT,
  tsx: TSX,
  js: JAVASCRIPT,
  mjs: JAVASCRIPT,
  cjs: JAVASCRIPT,
  jsx: JAVASCRIPT,
  py: PYTHON,
  go: GO,
  rs: RUST,
  java: JAVA,
  c: CPP,
  h: CPP,
  cc: CPP,
  cpp: CPP,
  cxx: CPP,
  hpp: CPP,
  hh: CPP,
  cs: CSHARP,
  rb: RUBY,
  php: PHP,
  sh: BASH,
  bash: BASH,
};

/** The grammars that are used, each once. */
export const GRAMMARS: readonly string[] = [...new Set(Object.values(BY_EXTENSION).map(({ grammar }) => grammar))];

/** The rules for a file by its extension; undefined for a file that is not mapped. */
export function languageOf(path: string): LanguageRules | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return ownValue(BY_EXTENSION, extension);
}
