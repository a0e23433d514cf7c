import type { Sample } from "../sample.ts";

/** Git's diffs and others, also behind what a commit says. */
export function looksLikeDiff(sample: Sample): boolean {
  // What a commit says of itself may be longer than all that is looked at.
  const lines = /^(?:commit|From) [0-9a-f]{7}/.test(sample.opening) ? sample.all : sample.lines;
  const first = lines.findIndex((line) => /^(?:diff --git |diff -|Index: \S|--- \S|\*\*\* \S)/.test(line));
  if (
    first < 0 ||
    !lines
      .slice(first, first + 40)
      .some((line) => /^(?:@@ |\*{15}|Binary files|similarity index|new file|deleted file|rename )/.test(line))
  )
    return false;
  const before = lines.slice(0, first);
  const introduced =
    first <= 2 ||
    before.every((line, index) => (index === 0 ? /^(?:commit |From )[0-9a-f]{7}/.test(line) : !/^[$+] /.test(line)));
  const after = lines.slice(first).filter((line) => line !== "");
  const inside = after.filter((line) =>
    /^(?:[ +\-@\\!*]|diff |index |new |deleted |old |similarity |rename |copy |Index|Binary|=+$|commit |Author|Date|\d+\.\d)/.test(
      line,
    ),
  );
  return introduced && inside.length / after.length > 0.9;
}
