import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly cpu?: readonly string[];
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(join(PROJECT, "package-lock.json"), "utf8")) as {
  packages: Readonly<Record<string, Locked>>;
};

/**
 * The registry that the lock file is made with does not carry programs for platforms that the project is not built on, so
 * their hashes cannot be had there. Nothing of the kind is installed where the lock is made, and none is part of the
 * package: they are optional parts of tools for development.
 */
function isForAnotherPlatform({ dev, optional, cpu, os, libc }: Locked): boolean {
  const elsewhere =
    os?.includes("linux") === false || cpu?.includes("x64") === false || libc?.includes("glibc") === false;
  return dev === true && optional === true && elsewhere;
}

describe("the lock file", () => {
  const entries = Object.entries(packages).filter(([name, { link }]) => name !== "" && link !== true);

  it("has a hash for every package, except programs for other platforms that cannot be had here", () => {
    const without = entries.filter(([, locked]) => !/^sha512-/.test(locked.integrity ?? ""));
    expect(without.filter(([, locked]) => !isForAnotherPlatform(locked)).map(([name]) => name)).toEqual([]);
  });

  it("has a hash for everything that is installed with the package", () => {
    const installed = entries.filter(([, { dev }]) => dev !== true);
    expect(installed.length).toBeGreaterThan(0);
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([name]) => name)).toEqual([]);
  });
});
