import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { temporaryFolder } from "./folder.ts";

const PAGE_BYTES = 4096;

/** A file system of its own that can be filled to the page. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves just this many pages of 4,096 bytes free. */
  fill(freePages: number): void;
  /** Gives free what `fill` took. */
  drain(): void;
}

/** Mounts a tmpfs until the file's tests have run; undefined, with a word why, where that is not allowed. */
export function mountSmallDisk(kilobytes: number): SmallDisk | undefined {
  const path = join(temporaryFolder("disk"), "mount");
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", path], { stdio: "pipe" });
  } catch (error) {
    console.warn(`Skipped: no tmpfs can be mounted here (${String(error).split("\n", 1)[0]}).`);
    return undefined;
  }
  afterAll(() => execFileSync("umount", ["--lazy", path]));
  const filler = (part: string): string => join(path, `filler-${part}`);
  return {
    path,
    fill(freePages) {
      const spare = openSync(filler("spare"), "w");
      for (let page = 0; page < freePages; page++) writeSync(spare, Buffer.alloc(PAGE_BYTES));
      closeSync(spare);
      const rest = openSync(filler("rest"), "w");
      try {
        for (;;) writeSync(rest, Buffer.alloc(PAGE_BYTES));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(rest);
      }
      rmSync(filler("spare"));
    },
    drain: () => rmSync(filler("rest"), { force: true }),
  };
}
