const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The text of the first element of a name; undefined when there is none. S3's answers repeat no name on the way to it. */
export function xmlText(xml: string, name: string): string | undefined {
  const inner = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return inner?.replaceAll(/&(#x?[0-9a-f]+|\w+);/gi, (whole, entity: string) => {
    if (!entity.startsWith("#")) return ENTITIES[entity] ?? whole;
    return String.fromCodePoint(Number(entity.startsWith("#x") ? `0${entity.slice(1)}` : entity.slice(1)));
  });
}

/** What stands inside each element of a name. */
export function xmlParts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map((match) => match[1] as string);
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
