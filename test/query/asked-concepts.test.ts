import { describe, expect, it } from "vitest";
import { askedConcepts, showsAny } from "../../src/query/asked-concepts.ts";

describe("askedConcepts", () => {
  it("knows where a fault may lie that a question speaks of", () => {
    expect(showsAny(askedConcepts("fix memory leak in the pool"), "buffer = malloc(size);")).toBe(true);
    expect(showsAny(askedConcepts("fix memory leak in the pool"), "int total = 3;")).toBe(false);
    expect(showsAny(askedConcepts("fix a race when closing"), "mutex_lock(&pool->guard);")).toBe(true);
    expect(showsAny(askedConcepts("fix typo"), "/* the seperator */")).toBe(true);
    expect(showsAny(askedConcepts("fix wording of the error message"), 'log("cannot open %s", path);')).toBe(true);
  });

  it("knows nothing of a question that speaks of no fault", () => {
    expect(askedConcepts("support a new codec")).toEqual([]);
  });
});
