import { describe, expect, it } from "vitest";
import { STRATEGIES } from "../../src/limits/types.ts";
import { preview } from "../../src/preview/index.ts";

const text = "größe 1\nline 22\nline 333\n";
const bytes = new TextEncoder().encode(text).length;

describe.each(STRATEGIES)("an output exactly as large as its limit (%s)", (strategy) => {
  it.each([
    ["maxBytes", bytes],
    ["maxChars", text.length],
    ["maxLines", 3],
  ])("is whole at %s, and cut at one less", (name, most) => {
    expect(preview(text, { strategy, [name]: most })).toMatchObject({ truncated: false, text });
    expect(preview(text, { strategy, [name]: most - 1 }).truncated).toBe(true);
  });
});
