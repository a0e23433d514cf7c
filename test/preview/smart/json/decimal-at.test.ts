import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalAt } from "../../../../src/preview/smart/json/decimal-at.ts";

const encoder = new TextEncoder();
const read = (text: string): number => decimalAt(encoder.encode(text), 0, text.length);

test("a decimal is the number that a text of it is", () => {
  const digits = fc.stringMatching(/^\d{1,7}$/);
  fc.assert(
    fc.property(digits, fc.option(digits), (whole, fraction) => {
      const text = fraction === null ? whole : `${whole}.${fraction}`;
      expect(read(text)).toBe(Number(text));
    }),
  );
});

test.each(["", "-1", "1e3", ".5", "5.", "1.2.3", "true", "1234567890123456"])("is left to others: %j", (text) => {
  expect(read(text)).toBeNaN();
});
