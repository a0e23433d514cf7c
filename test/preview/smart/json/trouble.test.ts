import { expect, test } from "vitest";
import { readGravity } from "../../../../src/preview/smart/json/read-gravity.ts";
import { mayTellTrouble } from "../../../../src/preview/smart/json/trouble.ts";

const SAYINGS =
  "fatal panic error errored Failed failure fail FAIL broken crashed exception vulnerable denied rejected unhealthy timeout timed_out invalid critical crash|panic: x|fatal error: x|Traceback (most recent|x.ValueError: y|KeyException: z|error[E1]: w|it was denied"
    .split("|")
    .flatMap((part, index) => (index === 0 ? part.split(" ") : [part]));

test.each(SAYINGS)("what makes a value grave is never passed over: %s", (saying) => {
  expect(readGravity({ text: `"${saying}"`, start: 0, key: undefined }, "none").other).toBeGreaterThan(0);
  const bytes = new TextEncoder().encode(saying);
  expect(mayTellTrouble(bytes, 0, bytes.length)).toBe(true);
});

test("most values need no patterns", () => {
  const bytes = new TextEncoder().encode("https://example.org/packages/left-pad-1.3.0.tgz");
  expect(mayTellTrouble(bytes, 0, bytes.length)).toBe(false);
});
