/** A string, or a character of JSON's structure. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** The keys and indexes that lead to where an unfinished JSON text ends. */
export function findOpenPath(prefix: string): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let string = '""';
  for (const [token] of prefix.matchAll(TOKENS)) {
    const last = path.length - 1;
    const inside = path[last];
    if (token === "{") path.push("");
    else if (token === "[") path.push(0);
    else if (token === "}" || token === "]") path.pop();
    else if (token === ":") path[last] = JSON.parse(string) as string;
    else if (token === ",") path[last] = typeof inside === "number" ? inside + 1 : "";
    else string = token;
  }
  return path;
}

/** Whether a path leads to a text of a tool result's content. */
export function isContentText(path: readonly (string | number)[]): boolean {
  const [result, content, index, ...field] = path;
  const inContent = result === "result" && content === "content" && typeof index === "number";
  return inContent && (field.join() === "text" || field.join() === "resource,text");
}
