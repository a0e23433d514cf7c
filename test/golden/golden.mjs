import { createHash } from "node:crypto";

/** Bytes of a preview, with the text of the second kept in the file. */
const LIMITS = [600, 1500, 8000, 32_000];
const READABLE = 1500;

/** The file that holds the previews of cases of one kind: their sha256 at each limit, and one as text. */
export function goldenFile(kind, cases, preview) {
  const parts = cases.flatMap(({ name, text, question }) => [
    section(name, (maxBytes) => preview(text, { strategy: "smart", maxBytes }).text),
    section(
      `${name}, asked "${question}"`,
      (maxBytes) => preview(text, { strategy: "smart", maxBytes, query: question }).text,
    ),
  ]);
  return `# Previews of kind ${kind}, written by \`npm run golden\`\n\n${parts.join("\n")}`;
}

function section(title, show) {
  const sums = LIMITS.map(
    (limit) => `${limit}: ${createHash("sha256").update(show(limit)).digest("hex").slice(0, 16)}`,
  );
  const quoted = show(READABLE).replace(/^/gm, "    ").replace(/ +$/gm, "");
  return `## ${title}\n\n${sums.join(", ")}\n\n${quoted}\n`;
}

/** Labels of a made case that previews of a seventh of it, at most 4,000 bytes, miss or show against them. */
export function misses({ text, question, must, asked, mustNot = [], least, mostBytes }, preview) {
  const maxBytes = Math.min(4000, Math.floor(Buffer.byteLength(text) / 7));
  const plain = preview(text, { strategy: "smart", maxBytes }).text;
  const answer = preview(text, { strategy: "smart", maxBytes, query: question }).text;
  const found = [
    ...must.filter((line) => !plain.includes(line)),
    ...asked.filter((line) => !answer.includes(line)).map((line) => `asked: ${line}`),
    ...mustNot.filter((line) => plain.includes(line)).map((line) => `not: ${line}`),
  ];
  if (least !== undefined) {
    const count = new Set(plain.match(new RegExp(least.pattern, "g"))).size;
    if (count < least.count) found.push(`${count} names, not ${least.count}`);
  }
  if (mostBytes !== undefined && Buffer.byteLength(plain) > mostBytes)
    found.push(`${Buffer.byteLength(plain)} bytes, not ${mostBytes}`);
  return found;
}

export function byKind(cases) {
  const kinds = new Map();
  for (const each of cases) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each]);
  return kinds;
}
