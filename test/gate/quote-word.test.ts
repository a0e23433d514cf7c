import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { quoteWord } from "../../src/gate/quote-word.ts";

it.each(["plain", "a b", "it's", "a\nb", "a\n\n'b\\c%d\"$e`f", "-e\t*", "\u001b[31m\u009b", "é\n中", "ends\n", "\\n"])(
  "gives a shell %j back, on one line unless it ends with one",
  (word) => {
    const quoted = quoteWord(word);
    expect(execFileSync("/bin/sh", ["-c", `printf '%s.' ${quoted}`], { encoding: "utf8" })).toBe(`${word}.`);
    if (!word.endsWith("\n")) expect(quoted).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  },
);
