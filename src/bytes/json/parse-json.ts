/** The value of a JSON text; undefined, which JSON has no word for, when it is none. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
