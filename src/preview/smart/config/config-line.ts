/** What one line of a file of settings is. */
export type ConfigLine =
  | { readonly kind: "section"; readonly name: string }
  | {
      readonly kind: "key";
      readonly indent: number;
      readonly listed: boolean;
      readonly opens: boolean;
      readonly spaced: boolean;
    }
  | { readonly kind: "element"; readonly indent: number }
  | { readonly kind: "comment" }
  | { readonly kind: "boundary" }
  | { readonly kind: "other"; readonly indent: number };

const SECTION = /^\s*(\[{1,2}[^\][]{1,200}\]{1,2})\s*(?:[#;].*)?$/;
const COMMENT = /^\s*(?:#|;|\/\/|!(?!\S*:))/;
const BOUNDARY = /^(?:---|\.\.\.)(?:\s|$)|^\s*[}\])]+,?;?\s*$/;
const YAML_KEY = /^(\s*)(- +)*((?:"[^"]{1,200}"|'[^']{1,200}'|[\w.$/@*<~-][\w.$/@ *+~<>()=-]{0,200}?)):( *)(?: (.*))?$/;
const EQUALS = /^(\s*)(?:export )?[\w."'$\\:/@-][\w."'$\\:/@[\] -]{0,200}?\s*\+?=\s*(.*)$/;
const BLOCK = /^(\s*)[\w-]+(?:\s+"[^"]{0,200}"|\s+[\w.-]+){0,3}\s*=?\s*[{[]\s*$/;
const ELEMENT = /^(\s*)- ?\S|^(\s*)"[^"]*",?$/;

/** Reads a line of YAML, TOML, ini, HCL or properties; not blank. */
export function readConfigLine(text: string): ConfigLine {
  const section = SECTION.exec(text);
  if (section !== null) return { kind: "section", name: section[1] ?? "" };
  if (COMMENT.test(text)) return { kind: "comment" };
  if (BOUNDARY.test(text)) return { kind: "boundary" };
  const block = BLOCK.exec(text);
  if (block !== null) return key(block[1], "", true, false);
  const yaml = YAML_KEY.exec(text);
  if (yaml !== null) {
    const [, indent, dash, , , value = ""] = yaml;
    return key(
      indent,
      dash,
      value === "" || /^[|>&][\w+-]*$/.test(value),
      / {2,}\S/.test(text.slice(text.indexOf(":"))),
    );
  }
  const equals = EQUALS.exec(text);
  if (equals !== null) return key(equals[1], "", /^[{[(]?$/.test(equals[2] ?? ""), false);
  const element = ELEMENT.exec(text);
  if (element !== null) return { kind: "element", indent: (element[1] ?? element[2] ?? "").length };
  return { kind: "other", indent: /^\s*/.exec(text)?.[0].length ?? 0 };
}

function key(indent = "", dash = "", opens: boolean, spaced: boolean): ConfigLine {
  return { kind: "key", indent: indent.length + (dash ?? "").length, listed: (dash ?? "") !== "", opens, spaced };
}
