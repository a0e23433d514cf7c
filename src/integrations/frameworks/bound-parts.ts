import type { Bound, ToolCall } from "./bound.ts";

/** How a framework's parts hold text; undefined for a part that is no text, such as an image. */
export interface TextParts<Part> {
  readonly textOf: (part: Part) => string | undefined;
  readonly withText: (part: Part, text: string) => Part;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parts whose texts are those of the type `text`. */
export const TEXT_PARTS: TextParts<object> = {
  textOf: (part) => {
    const { type, text } = part as Fields;
    return type === "text" && typeof text === "string" ? text : undefined;
  },
  withText: (part, text) => ({ ...part, text }),
};

/**
 * Bounds the texts of a result made of parts, all of them together: the first text holds what is shown, the others go.
 * Images and the like stay where they are. The same list is given back when it is within the limits.
 */
export async function boundParts<Part>(
  bound: Bound,
  call: ToolCall,
  parts: readonly Part[],
  { textOf, withText }: TextParts<Part>,
): Promise<readonly Part[]> {
  const texts = parts.flatMap((part) => textOf(part) ?? []);
  if (texts.length === 0) return parts;
  const whole = texts.join("\n");
  const shown = await bound(call, whole);
  if (shown === whole) return parts;
  let placed = false;
  return parts.flatMap((part) => {
    if (textOf(part) === undefined) return [part];
    if (placed) return [];
    placed = true;
    return [withText(part, shown)];
  });
}
