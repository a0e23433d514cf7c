const LINE = (key: string) => new RegExp(`^[ \\t]*(?:export[ \\t]+)?${key}[ \\t]*=(.*)$`, "m");

/** The value of a variable in a `.env` file; undefined when it is not set there. */
export function readVariable(text: string, key: string): string | undefined {
  return LINE(key)
    .exec(text)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
}

/** Sets a variable; every other line stays as it is. */
export function setVariable(text: string, key: string, value: string): string {
  const line = `${key}=${JSON.stringify(value)}`;
  if (LINE(key).test(text)) return text.replace(LINE(key), () => line);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}${line}${eol}`;
}

/** Takes a variable out. */
export function removeVariable(text: string, key: string): string {
  return text.replace(new RegExp(`${LINE(key).source}(?:\\r?\\n)?`, "m"), "");
}
