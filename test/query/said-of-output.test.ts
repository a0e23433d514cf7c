import { describe, expect, it } from "vitest";
import { askedNames } from "../../src/query/asked-names.ts";
import { withoutOutput } from "../../src/query/said-of-output.ts";

describe("withoutOutput", () => {
  it("takes out what a question calls the output itself", () => {
    expect(withoutOutput("Why did this Travis CI build fail?")).toBe("Why did this fail?");
    expect(withoutOutput("Which line is the cause of this failed PyTorch CI job?")).toBe(
      "Which line is the cause of this?",
    );
  });

  it("leaves what else it names", () => {
    for (const question of [
      "Where does Travis set the build folder?",
      "does this timeout come from the build?",
      "which build of libfoo is used?",
    ])
      expect(withoutOutput(question)).toBe(question);
  });

  it("leaves a question that only speaks of the output without names", () => {
    expect(askedNames("Why did this Travis CI build fail?")).toEqual([]);
  });
});
