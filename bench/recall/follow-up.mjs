const STOP = new Set(
  "about after also because been before being break breaks cannot change changed changes could does doing done from goes going have into more most much must only other over same should some such than that their them then there these they this those through under were what when where which while will with would your".split(
    " ",
  ),
);

/** What a model would look for: the words of its question that say something, or the words of failure. */
export function wordsOf(question = "") {
  const words = question.match(/[\p{L}\p{N}_][\p{L}\p{N}_.:/@-]*[\p{L}\p{N}_]/gu) ?? [];
  const telling = words.filter((word) => word.length >= 4 && !STOP.has(word.toLowerCase()));
  return telling.length > 0 ? [...new Set(telling)] : ["error", "fail"];
}

/** `grep -n -i -F` for any of the words. */
export function grep(text, words) {
  const wanted = words.map((word) => word.toLowerCase());
  return text
    .split("\n")
    .map((line, at) => ({ line, at }))
    .filter(({ line }) => {
      const low = line.toLowerCase();
      return wanted.some((word) => low.includes(word));
    })
    .map(({ line, at }) => `${at + 1}:${line}`)
    .join("\n");
}

/** Whether a text names a place where the whole output is. */
export function namesFile(shown, file) {
  return shown.includes(file) || /(?:saved to|saved in the filesystem at this path|Full output): ?\/\S+/.test(shown);
}

/** The lines that a notice names for reading (`offset=N, limit=M`); undefined where it names none. */
export function namedRange(shown, text) {
  const [, offset, limit] = /offset=(\d+)(?:,| and) limit=(\d+)/.exec(shown) ?? [];
  if (offset === undefined) return undefined;
  const first = Math.max(Number(offset), 1) - 1;
  return text
    .split("\n")
    .slice(first, first + Number(limit))
    .join("\n");
}
