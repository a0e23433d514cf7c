import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  evaluatePermission,
  isPermissionDenied,
  matchesWildcard,
  type PermissionRule,
} from "../../src/gate/permissions.ts";

const rule = (permission: string, pattern: string, action: PermissionRule["action"]): PermissionRule => ({
  permission,
  pattern,
  action,
});

describe("evaluatePermission", () => {
  it("lets the last matching rule win", () => {
    const rules = [rule("*", "*", "deny"), rule("bash", "git *", "allow"), rule("bash", "git push*", "ask")];
    expect(evaluatePermission("bash", "git status", rules).action).toBe("allow");
    expect(evaluatePermission("bash", "git push origin", rules).action).toBe("ask");
    expect(evaluatePermission("bash", "rm -rf .", rules).action).toBe("deny");
    expect(evaluatePermission("read", "a.txt", rules)).toEqual(rules[0]);
  });

  it("asks when no rule matches", () => {
    expect(evaluatePermission("bash", "ls", [])).toEqual({ permission: "bash", pattern: "*", action: "ask" });
  });

  it("names tools in any case, patterns exactly", () => {
    const rules = [rule("Task", "explore", "deny")];
    expect(evaluatePermission("task", "explore", rules).action).toBe("deny");
    expect(evaluatePermission("task", "Explore", rules).action).toBe("ask");
  });
});

describe("isPermissionDenied", () => {
  it("is true only when nothing can be permitted", () => {
    expect(isPermissionDenied("task", [rule("task", "*", "deny")])).toBe(true);
    expect(isPermissionDenied("task", [rule("*", "*", "deny"), rule("task", "explore", "deny")])).toBe(true);
    expect(isPermissionDenied("task", [rule("*", "*", "deny"), rule("task", "explore", "ask")])).toBe(false);
    expect(isPermissionDenied("task", [rule("task", "explore", "deny")])).toBe(false);
    expect(isPermissionDenied("task", [])).toBe(false);
  });
});

describe("matchesWildcard", () => {
  it("treats everything but * and ? literally", () => {
    expect(matchesWildcard("a.ts", "*.ts")).toBe(true);
    expect(matchesWildcard("axts", "*.ts")).toBe(false);
    expect(matchesWildcard("", "*")).toBe(true);
    expect(matchesWildcard("", "?")).toBe(false);
  });

  it("agrees with the equivalent regular expression", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "."), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (text, pattern) => {
        const source = pattern.replaceAll(".", "\\.").replaceAll("*", "[^]*").replaceAll("?", "[^]");
        expect(matchesWildcard(text, pattern)).toBe(new RegExp(`^${source}$`).test(text));
      }),
    );
  });

  it("does not slow down on patterns that defeat backtracking", () => {
    expect(matchesWildcard("a".repeat(20_000), `${"*a".repeat(50)}*b`)).toBe(false);
  });
});
