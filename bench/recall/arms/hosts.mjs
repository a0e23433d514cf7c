// What agents do with the output of a command, as rules of our own that were written from what their programs were seen
// to do. The wording of their notices is shortened; whether they name a file is not.

/** Each agent's own cut: `show` gives the text that its model gets, `keeps` says whether that text names a full file. */
export const HOSTS = [
  {
    name: "Claude Code, exit 0",
    version: "2.1.197, rule",
    show: (text, file) =>
      text.length <= 30_000
        ? text
        : `<persisted-output>\nOutput too large. Full output saved to: ${file}\n\nPreview:\n${text.slice(0, 2000)}\n</persisted-output>`,
  },
  {
    name: "Claude Code, failed",
    version: "2.1.197, rule",
    show: (text) => (text.length <= 10_000 ? text : `${text.slice(0, 5000)}\n\n… cut …\n\n${text.slice(-5000)}`),
  },
  {
    name: "Codex",
    version: "0.166.0, rule",
    show: (text) => {
      const bytes = Buffer.from(text);
      if (bytes.length <= 40_000) return text;
      const [head, tail] = [bytes.subarray(0, 20_000).toString(), bytes.subarray(-20_000).toString()];
      return `Total output lines: ${text.split("\n").length}\n\n${head}…${Math.ceil((bytes.length - 40_000) / 4)} tokens truncated…${tail}`;
    },
  },
  {
    name: "opencode",
    version: "1.18.33, rule",
    show: (text, file) => {
      const tail = lastLines(text, 2000, 51_200);
      return tail === text
        ? text
        : `… cut …\n\n${tail}\n\nFull output saved to: ${file}\nSearch it, or read a part of it.`;
    },
  },
  {
    name: "Qwen Code",
    version: "0.15.10, rule",
    show: (text, file) => {
      if (text.length <= 25_000 && text.split("\n").length <= 1000) return text;
      const head = text.slice(0, 5000).split("\n").slice(0, 200).join("\n");
      const tail = text.slice(-20_000).split("\n").slice(-800).join("\n");
      return `Output too large, full output saved to: ${file}\nRead it from there.\n\n${head}\n… cut …\n${tail}`;
    },
  },
];

/** The last lines that fit; a last line that does not is shown in part. */
function lastLines(text, maxLines, maxBytes) {
  const lines = text.split("\n");
  const kept = [];
  let bytes = 0;
  for (let at = lines.length - 1; at >= 0 && kept.length < maxLines; at--) {
    const size = Buffer.byteLength(lines[at]) + (kept.length > 0 ? 1 : 0);
    if (bytes + size > maxBytes) break;
    bytes += size;
    kept.unshift(lines[at]);
  }
  if (kept.length > 0) return kept.join("\n");
  return Buffer.from(lines.at(-1)).subarray(-maxBytes).toString();
}
