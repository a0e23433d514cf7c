import { expect, test } from "vitest";
import { preview } from "../../../../src/preview/index.ts";

test("counts the lines and sections of settings once, whatever is asked and however the file ends", () => {
  const section = (at: number): string => `[part.${at}]\nname = "part ${at}"\nsize = ${at}\n\n`;
  const settings = `${Array.from({ length: 400 }, (_, at) => section(at)).join("")}last = "value"`;
  for (const query of [undefined, "where is part 271"]) {
    const { text, shape } = preview(settings, { strategy: "smart", maxBytes: 3000, query });
    expect(shape).toBe("outline");
    expect(text).toContain("[outline: 1,601 lines, 400 parts]");
  }
});

test("the last line counts once though it is looked at again for another room", () => {
  const settings = `${Array.from({ length: 900 }, (_, at) => `[[package]]\nname = "time-${at}"\nversion = "${at}.0"\n`).join("")}name = "createConnection"\n`;
  const { text } = preview(settings, {
    strategy: "smart",
    maxBytes: 3500,
    query: "why does createConnection time out",
  });
  expect(text).toContain("[outline: 2,701 lines, 900 parts]");
});
