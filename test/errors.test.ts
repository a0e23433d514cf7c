import { describe, expect, it } from "vitest";
import { messageOf } from "../src/errors.ts";

describe("messageOf", () => {
  it.each<[string, unknown, string]>([
    ["an error", new Error("boom"), "boom"],
    ["a text", "boom", "boom"],
    ["nothing", undefined, ""],
    ["null", null, ""],
    ["a number", 0, "0"],
    ["a symbol", Symbol("boom"), "Symbol(boom)"],
    ["an object that has a message", { message: "boom", code: 5 }, "boom"],
    ["any other object", { code: 5 }, '{"code":5}'],
    ["an error whose message is a number", Object.assign(new Error(), { message: 5 }), "5"],
    ["an error whose message is an object", Object.assign(new Error(), { message: { a: 1 } }), '{"a":1}'],
    ["an error without a message", Object.assign(new TypeError(), { message: undefined }), "TypeError"],
    ["an object without a prototype", Object.create(null), ""],
  ])("says what %s says", (_, thrown, said) => {
    expect(messageOf(thrown)).toBe(said);
  });

  it("says nothing where asking throws", () => {
    const hostile = {
      get message() {
        throw new Error("no");
      },
    };
    expect(messageOf(hostile)).toBe("");
  });
});
