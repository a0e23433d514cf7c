import { expect, it } from "vitest";
import { toolNameOf } from "../../src/process/name-command.ts";

it.each([
  ["npm test", "npm"],
  ["/usr/bin/make -j 4", "make"],
  ["  seq 1 9", "seq"],
  ["CI=1 npm test", "npm"],
  ["A=1 B='two words' C=\"x $y\" D=e\\ f ./build.sh", "build.sh"],
  ["EMPTY= env", "env"],
  ["A=1", "run"],
  ["", "run"],
  ["x=y=z tool", "tool"],
  ["--flag=1 x", "--flag=1"],
])("the tool of %s is %s", (line, name) => {
  expect(toolNameOf(line)).toBe(name);
});
