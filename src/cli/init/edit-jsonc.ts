import { SpillwayError } from "../../errors.ts";

interface Property {
  readonly key: string;
  readonly start: number;
  readonly value: Node;
}

interface Node {
  readonly start: number;
  readonly end: number;
  /** Only of an object. */
  readonly properties?: readonly Property[];
}

/** Sets `section.name` in a JSON text, comments and everything else kept as they are. */
export function setJsonEntry(text: string, section: string, name: string, value: unknown): string {
  const source = text.trim() === "" ? "{}\n" : text;
  const unit = /\n([ \t]+)"/.exec(source)?.[1] ?? "  ";
  const root = parse(source);
  const found = root.properties!.find(({ key }) => key === section);
  if (!found) return insert(source, root, section, { [name]: value }, unit, "");
  if (!found.value.properties) throw new SpillwayError("INVALID_CONFIG", `"${section}" is not an object in this file.`);
  const entry = found.value.properties.find(({ key }) => key === name);
  const indent = indentAt(source, found.start);
  if (!entry) return insert(source, found.value, name, value, unit, indent);
  const rendered = isOnOneLine(source, found.value)
    ? renderOnOneLine(value)
    : render(value, unit, indentAt(source, entry.start));
  return source.slice(0, entry.value.start) + rendered + source.slice(entry.value.end);
}

/** The value of `section.name` in a JSON text, or of `section`; undefined when there is none. */
export function readJsonEntry(text: string, section: string, name?: string): unknown {
  if (text.trim() === "") return undefined;
  const found = parse(text).properties!.find(({ key }) => key === section)?.value;
  const node = name === undefined ? found : found?.properties?.find(({ key }) => key === name)?.value;
  if (node === undefined) return undefined;
  // Strings first, so that what looks like a comment inside one is left alone.
  const plain = text
    .slice(node.start, node.end)
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? "")
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? "");
  return JSON.parse(plain) as unknown;
}

/** Takes `section.name` out of a JSON text, and `section` when nothing else is in it. */
export function removeJsonEntry(text: string, section: string, name: string): string {
  if (text.trim() === "") return text;
  const root = parse(text);
  const found = root.properties!.find(({ key }) => key === section);
  const entry = found?.value.properties?.find(({ key }) => key === name);
  if (!found || !entry) return text;
  const alone =
    found.value.properties!.length === 1 &&
    !/\/[/*]/.test(text.slice(found.value.start, entry.start) + text.slice(entry.value.end, found.value.end));
  return alone ? remove(text, root, found) : remove(text, found.value, entry);
}

function insert(text: string, object: Node, key: string, value: unknown, unit: string, outer: string): string {
  const indent = outer + unit;
  const property = `${JSON.stringify(key)}: ${render(value, unit, indent)}`;
  const last = object.properties!.at(-1);
  if (!last) {
    const inside = text.slice(object.start + 1, object.end - 1).trimEnd();
    return `${text.slice(0, object.start + 1)}${inside}\n${indent}${property}\n${outer}${text.slice(object.end - 1)}`;
  }
  if (isOnOneLine(text, object)) {
    const end = last.value.end;
    return `${text.slice(0, end)}, ${JSON.stringify(key)}: ${renderOnOneLine(value)}${text.slice(end)}`;
  }
  const comma = /^\s*(?:\/\*[\s\S]*?\*\/\s*)*,/.exec(text.slice(last.value.end))?.[0];
  const after = last.value.end + (comma?.length ?? 0);
  // A comment behind the last property stays with it.
  const lineEnd = after + /^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/)?/.exec(text.slice(after))![0].length;
  const head = text.slice(0, last.value.end) + (comma ?? ",") + text.slice(after, lineEnd);
  const rest = text.slice(lineEnd);
  return `${head}\n${indent}${property}${comma ? "," : ""}${/^\s*\n/.test(rest) ? rest : `\n${outer}${rest.trimStart()}`}`;
}

function remove(text: string, object: Node, property: Property): string {
  const properties = object.properties!;
  const index = properties.indexOf(property);
  const before = properties[index - 1];
  const after = /^\s*,/.exec(text.slice(property.value.end))?.[0].length ?? 0;
  let start = property.start;
  let end = property.value.end + after;
  if (after === 0 && before) {
    const comma = text.indexOf(",", before.value.end);
    const head = text.slice(0, comma) + text.slice(comma + 1, start).trimEnd();
    return head + text.slice(end);
  }
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  if (text.slice(lineStart, start).trim() === "") start = Math.max(0, lineStart - 1);
  if (properties.length === 1) end += /^\s*/.exec(text.slice(end))![0].length;
  return text.slice(0, start) + text.slice(end);
}

function render(value: unknown, unit: string, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `\n${indent}`);
}

function isOnOneLine(text: string, { start, end }: Node): boolean {
  return !text.slice(start, end).includes("\n");
}

function renderOnOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))![0];
}

/** Parses JSON with comments and trailing commas into positions. */
function parse(text: string): Node {
  let at = 0;
  const wrong = (): SpillwayError =>
    new SpillwayError("INVALID_CONFIG", `The file is not JSON (at character ${at + 1}); it was left as it is.`);
  const skip = (): void => {
    at += /^(?:[\s\ufeff]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(at))![0].length;
  };
  const readString = (): string => {
    const match = /^"(?:[^"\\\n]|\\.)*"/.exec(text.slice(at));
    if (!match) throw wrong();
    at += match[0].length;
    return JSON.parse(match[0]) as string;
  };
  const readList = (close: string, readItem: () => void): void => {
    at += 1;
    for (skip(); text[at] !== close; skip()) {
      readItem();
      skip();
      if (text[at] === ",") at += 1;
      else if (text[at] !== close) throw wrong();
    }
    at += 1;
  };
  const readValue = (): Node => {
    const start = at;
    if (text[at] === "{") {
      const properties: Property[] = [];
      readList("}", () => {
        const keyStart = at;
        const key = readString();
        skip();
        if (text[at] !== ":") throw wrong();
        at += 1;
        skip();
        properties.push({ key, start: keyStart, value: readValue() });
      });
      return { start, end: at, properties };
    }
    if (text[at] === "[") readList("]", readValue);
    else if (text[at] === '"') readString();
    else {
      const literal = /^(?:true|false|null|-?\d[\d.eE+-]*)/.exec(text.slice(at));
      if (!literal) throw wrong();
      at += literal[0].length;
    }
    return { start, end: at };
  };
  skip();
  const root = readValue();
  skip();
  if (at !== text.length || !root.properties) throw wrong();
  return root;
}
