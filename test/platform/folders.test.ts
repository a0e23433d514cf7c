import { join } from "node:path";
import { expect, it } from "vitest";
import { applicationData, userFolder } from "../../src/platform/folders.ts";

const HOME = join("/", "home", "me");
const env = { HOME };

it.each([
  ["linux", "config", ".config"],
  ["linux", "state", ".local/state"],
  ["linux", "data", ".local/share"],
  ["linux", "cache", ".cache"],
  ["darwin", "config", ".config"],
  ["darwin", "state", "Library/Application Support"],
  ["darwin", "data", "Library/Application Support"],
  ["darwin", "cache", "Library/Caches"],
  ["win32", "config", "AppData/Roaming"],
  ["win32", "state", "AppData/Local"],
  ["win32", "data", "AppData/Local"],
  ["win32", "cache", "AppData/Local"],
] as const)("on %s, %s is in ~/%s", (platform, kind, place) => {
  expect(userFolder(kind, env, platform)).toBe(join(HOME, ...place.split("/")));
});

it.each(["linux", "darwin", "win32"] as const)("on %s, what XDG says goes first, unless it is empty", (platform) => {
  expect(userFolder("state", { ...env, XDG_STATE_HOME: "/mine" }, platform)).toBe("/mine");
  const without = userFolder("state", env, platform);
  expect(userFolder("state", { ...env, XDG_STATE_HOME: "" }, platform)).toBe(without);
});

it("on Windows, the system's own variables say where folders are", () => {
  const moved = { ...env, APPDATA: "D:\\roaming", LOCALAPPDATA: "D:\\local" };
  expect(userFolder("config", moved, "win32")).toBe("D:\\roaming");
  expect(userFolder("state", moved, "win32")).toBe("D:\\local");
  expect(applicationData(moved, "win32")).toBe("D:\\roaming");
});

it("keeps settings of graphical programs where they look for them", () => {
  expect(applicationData(env, "linux")).toBe(join(HOME, ".config"));
  expect(applicationData(env, "darwin")).toBe(join(HOME, "Library", "Application Support"));
  expect(applicationData(env, "win32")).toBe(join(HOME, "AppData", "Roaming"));
});
