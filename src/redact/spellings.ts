const encoder = new TextEncoder();

/** A text as outputs may spell it: as it is, in JSON, in JSON within JSON, in a URL, in XML, in base64. */
export function spellingsOf(text: string): ReadonlySet<string> {
  const inJson = withinQuotes(text);
  return new Set([text, inJson, withinQuotes(inJson), inUrl(text), inXml(text), inBase64(text)]);
}

function withinQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A lone surrogate has no place in a URL. */
function inUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function inXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
}

function inBase64(text: string): string {
  return btoa(String.fromCharCode(...encoder.encode(text)));
}
