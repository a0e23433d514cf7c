import { describe, expect, it } from "vitest";
import { platformOf } from "../../src/platform/platform.ts";

describe("platformOf", () => {
  it("knows what Windows lacks", () => {
    const windows = platformOf("win32");
    expect(windows).toMatchObject({ hasProcessGroups: false, hasProc: false, handsOnDescriptors: false });
    expect(windows.keychain).toBeUndefined();
    expect(windows.path.sep).toBe("\\");
  });

  it("knows what macOS has, and that /proc is not among it", () => {
    const macos = platformOf("darwin");
    expect(macos).toMatchObject({ hasProcessGroups: true, hasProc: false, handsOnDescriptors: true });
    expect(macos.keychain).toBe("macos");
    expect(macos.path.sep).toBe("/");
  });

  it("relies on /proc on Linux alone", () => {
    const names: NodeJS.Platform[] = ["linux", "darwin", "win32", "freebsd", "android"];
    expect(names.filter((name) => platformOf(name).hasProc)).toEqual(["linux"]);
  });

  it("knows what runtimes other than Node cannot do with open files", () => {
    expect(platformOf("linux", "bun")).toMatchObject({ readsPipes: false, threadsShareFiles: false });
    expect(platformOf("linux", "deno")).toMatchObject({ readsPipes: true, threadsShareFiles: false });
    expect(platformOf("linux", "node")).toMatchObject({ readsPipes: true, threadsShareFiles: true });
    expect(platformOf("win32", "node").readsPipes).toBe(false);
  });

  it("hands a line to the shell that is there", () => {
    expect(platformOf("linux").shell({})).toEqual(["/bin/sh", "-c"]);
    expect(platformOf("win32").shell({})).toEqual(["cmd.exe", "/d", "/s", "/c"]);
    expect(platformOf("win32").shell({ ComSpec: "C:\\shell.exe" })[0]).toBe("C:\\shell.exe");
  });

  it("opens an address in one argument, whatever characters it has", () => {
    const url = "http://127.0.0.1:1/?a=1&b=2";
    for (const name of ["linux", "darwin", "win32"] as const) expect(platformOf(name).browser(url).at(-1)).toBe(url);
    expect(platformOf("win32").browser(url)[0]).not.toMatch(/cmd/);
  });
});
