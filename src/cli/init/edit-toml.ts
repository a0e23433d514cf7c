import { SpillwayError } from "../../errors.ts";

const HEADER = /^\[{1,2}\s*([A-Za-z0-9_"'.\s-]+?)\s*\]{1,2}\s*(?:#.*)?$/;

/** Sets the table `section.name` in a TOML text; everything else is kept as it is. */
export function setTomlEntry(
  text: string,
  section: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): string {
  if (new RegExp(`^\\s*${section}\\s*=`, "m").test(text))
    throw new SpillwayError("INVALID_CONFIG", `${section} is an inline table in this file; add the entry by hand.`);
  const rows = Object.entries(entry).map(([key, value]) => `${key} = ${renderToml(value)}`);
  const block = [`[${section}.${name}]`, ...rows, ""].join("\n");
  const without = removeTomlEntry(text, section, name).trimEnd();
  return without === "" ? block : `${without}\n\n${block}`;
}

/** Takes the table `section.name` and those below it out of a TOML text. */
export function removeTomlEntry(text: string, section: string, name: string): string {
  const own = `${section}.${name}`;
  let inside = false;
  const kept = text.split("\n").filter((line) => {
    const header = HEADER.exec(line.trim())?.[1]?.replaceAll(/["'\s]/g, "");
    if (header !== undefined) inside = header === own || header.startsWith(`${own}.`);
    return !inside;
  });
  const result = kept.join("\n");
  return result === text ? text : result.replace(/\n{3,}/g, "\n\n").replace(/\n*$/, result.trim() === "" ? "" : "\n");
}

function renderToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderToml).join(", ")}]`;
  // JSON's escapes of a basic string are TOML's too.
  return JSON.stringify(value);
}
