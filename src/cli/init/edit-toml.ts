import { invalidConfig } from "../../errors.ts";
import { setTomlKey } from "./edit-toml-key.ts";
import { isBelow, samePath, scanToml } from "./scan-toml.ts";

/** Sets keys of the table `section.name` in a TOML text; its other keys, its sub-tables and all else stay. */
export function setTomlEntry(
  text: string,
  section: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): string {
  if (scanToml(text).keys.some((key) => samePath(key.path, [section])))
    throw invalidConfig(`${section} is an inline table in this file; add the entry by hand.`);
  return Object.entries(entry).reduce((edited, [key, value]) => setTomlKey(edited, [section, name, key], value), text);
}

/** Takes the table `section.name` and those below it out of a TOML text, and nothing else. */
export function removeTomlEntry(text: string, section: string, name: string): string {
  const path = [section, name];
  let result = text;
  for (;;) {
    const { tables, keys } = scanToml(result);
    const table = tables.findLast((one) => isBelow(one.path, path));
    const key = keys.find((one) => one.braces === undefined && isBelow(one.path, path));
    if (table) {
      const head = result.slice(0, table.start);
      const tail = result.slice(table.end);
      // The empty line before it came with it, unless something follows that it would then stick to.
      result = (tail === "" ? head.replace(/(\n)\r?\n$/, "$1") : head) + tail;
    } else if (key) {
      const start = result.lastIndexOf("\n", key.start) + 1;
      const newline = result.indexOf("\n", key.valueEnd);
      result = result.slice(0, start) + (newline === -1 ? "" : result.slice(newline + 1));
    } else return result;
  }
}
