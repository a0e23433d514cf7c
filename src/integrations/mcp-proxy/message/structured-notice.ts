import { isObject } from "../../../bytes/json/is-object.ts";
import { jsonBytes, keyBytes } from "../../../bytes/json/json-size.ts";
import { replaceAt } from "../../../gate/items/keep-parts.ts";
import type { ArtifactLink, JsonCut } from "../../../gate/render/mcp-facts.ts";
import { renderStructuredNotice } from "../../../gate/render/mcp-notice.ts";
import type { BoundedResult } from "../../../gate/types.ts";
import type { BoundContext } from "./bound-context.ts";

/** Where structured content says of itself that it is not all. */
const NOTICE_KEY = "spillway_notice";

/** What stands in structured content that was cut, for clients that show nothing else. */
export interface StructuredNotice {
  /** What it takes as a property. */
  readonly bytes: number;
  /** Puts it into a property of its own or, where that does not fit, at the end of a text that was cut; else nowhere. */
  addTo(value: unknown, cuts: readonly JsonCut[], fits: (candidate: unknown) => boolean): unknown;
}

export function createStructuredNotice(
  { size }: BoundedResult,
  link: ArtifactLink | undefined,
  context: BoundContext,
): StructuredNotice {
  const text = renderStructuredNotice(size, link, context);
  return {
    bytes: keyBytes(NOTICE_KEY) + jsonBytes(text),
    addTo(value, cuts, fits) {
      if (!isObject(value)) return value;
      const withProperty = { ...value, [NOTICE_KEY]: text };
      if (!(NOTICE_KEY in value) && fits(withProperty)) return withProperty;
      const candidates = cuts.flatMap(({ pointer, unit }) =>
        unit === "characters" ? appendAt(value, pathOf(pointer), `\n[${text}]`) : [],
      );
      return candidates.find(fits) ?? value;
    },
  };
}

function pathOf(pointer: string): readonly string[] {
  const keys = pointer.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value with a text made longer; nothing when there is none. */
function appendAt(value: object, path: readonly string[], text: string): readonly unknown[] {
  const found = path.reduce<unknown>(
    (inner, key) => (isObject(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
    value,
  );
  return typeof found === "string" ? [replaceAt(value, path, found + text)] : [];
}
