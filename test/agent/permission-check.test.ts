import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_RULES, decidePermission, isOffered, resolveRules } from "../../src/agent/permission-check.ts";
import type { PermissionRule } from "../../src/gate/permissions.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spillway-permission-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const rule = (permission: string, pattern: string, action: PermissionRule["action"]) => ({
  permission,
  pattern,
  action,
});
const decide = async (tool: string, input: unknown, ...rules: PermissionRule[]) =>
  (await decidePermission(tool, input, [...DEFAULT_RULES, ...rules], root)).action;

describe("decidePermission", () => {
  it("allows reading and asks for the rest by default", async () => {
    expect(await decide("Read", { path: "a" })).toBe("allow");
    expect(await decide("Task", { agent: "explore", prompt: "x" })).toBe("allow");
    expect(await decide("Bash", { command: "ls" })).toBe("ask");
    expect(await decide("Write", { path: "a", content: "" })).toBe("ask");
    expect(await decide("SomethingNew", {})).toBe("ask");
  });

  it("looks at every command of a shell line", async () => {
    const rules = [rule("bash", "git *", "allow"), rule("bash", "rm *", "deny")];
    expect(await decide("Bash", { command: "git status" }, ...rules)).toBe("allow");
    expect(await decide("Bash", { command: "git status && git log" }, ...rules)).toBe("allow");
    expect(await decide("Bash", { command: "git status; curl x" }, ...rules)).toBe("ask");
    expect(await decide("Bash", { command: "git status\nrm -rf ." }, ...rules)).toBe("deny");
    expect(await decide("Bash", { command: "git log $(curl x)" }, ...rules)).toBe("ask");
    expect(await decide("Bash", { command: "git log > ~/.profile" }, ...rules)).toBe("ask");
    expect(await decide("Bash", { command: "echo `id` > x" }, rule("bash", "*", "allow"))).toBe("allow");
  });

  it("is not fooled by detours and links", async () => {
    mkdirSync(join(root, "secrets"));
    writeFileSync(join(root, "secrets/key"), "");
    symlinkSync("secrets", join(root, "open"));
    const deny = rule("read", "secrets/*", "deny");
    for (const path of ["secrets/key", "a/../secrets/key", join(root, "secrets/key"), "open/key"]) {
      expect(await decide("Read", { path }, deny)).toBe("deny");
    }
    expect(await decide("Read", { file_path: "secrets/key" }, deny)).toBe("deny");
    expect(await decide("Read", { path: "readme" }, deny)).toBe("allow");
  });

  it("follows the links on the way to a file that is not there yet", async () => {
    mkdirSync(join(root, ".agents"));
    symlinkSync(".agents", join(root, "notes"));
    symlinkSync(".agents/dangling", join(root, "later"));
    symlinkSync("round", join(root, "round"));
    const allow = rule("write", "*", "allow");
    const deny = rule("write", ".agents/*", "deny");
    for (const path of ["notes/new.txt", "notes/deep/new.txt", "later", "later/new.txt"]) {
      expect([path, await decide("Write", { path }, allow, deny)]).toEqual([path, "deny"]);
    }
    for (const path of ["new.txt", "round", "round/new.txt"]) {
      expect([path, await decide("Write", { path }, allow, deny)]).toEqual([path, "allow"]);
    }
  });
});

describe("resolveRules", () => {
  const rules = [...DEFAULT_RULES, rule("webfetch", "*", "deny"), rule("bash", "git *", "allow")];

  it("lets --yes answer what would be asked, never what is denied", async () => {
    const yes = resolveRules(rules, "yes");
    expect((await decidePermission("Bash", { command: "ls" }, yes, root)).action).toBe("allow");
    expect(isOffered("Write", yes)).toBe(true);
    expect(isOffered("WebFetch", yes)).toBe(false);
  });

  it("offers only what can be allowed when nobody can be asked", async () => {
    const never = resolveRules(rules, "never");
    expect(["Read", "Write", "Bash", "WebFetch", "Task"].filter((tool) => isOffered(tool, never))).toEqual([
      "Read",
      "Bash",
      "Task",
    ]);
    expect((await decidePermission("Bash", { command: "git log" }, never, root)).action).toBe("allow");
    expect((await decidePermission("Bash", { command: "ls" }, never, root)).action).toBe("deny");
    expect((await decidePermission("Bash", { command: "git log | sh" }, never, root)).action).toBe("deny");
  });
});
