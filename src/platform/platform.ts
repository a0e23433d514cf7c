import type { IncomingMessage } from "node:http";
import path from "node:path";

/** The longest time of a timer, 24 days; what is longer, Infinity too, it takes for 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** A time that a user names, as a timer may have it. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}

/** Calls after so many milliseconds; never when there are none, or more than a timer can wait. */
export function startTimer(call: () => void, ms: number | undefined): NodeJS.Timeout | undefined {
  return ms === undefined || ms > LONGEST_MS ? undefined : setTimeout(call, ms);
}

/** The address that a request asks for. Anybody may send anything, such as `//`, which is no address beside another. */
export function requestUrl({ url = "/" }: IncomingMessage): URL {
  const address = url.startsWith("/") ? `http://localhost${url}` : url;
  return new URL(URL.canParse(address) ? address : "http://localhost/");
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What runs the JavaScript. */
export type Runtime = "node" | "bun" | "deno";

/** What differs between operating systems and runtimes, as far as anything here depends on it. */
export interface Platform {
  readonly name: NodeJS.Platform;
  /** A child can lead a group of its own, which a signal to its negative id reaches. */
  readonly hasProcessGroups: boolean;
  /** `/proc` tells of processes, and leads to what a descriptor has open whatever its name means in the meantime. */
  readonly hasProc: boolean;
  /** There are FIFOs, and children can be given open files by number. */
  readonly handsOnDescriptors: boolean;
  /** A socket reads a pipe that is given by its number; Bun's stays silent. */
  readonly readsPipes: boolean;
  /** A worker thread can read a file that the main thread opened; under Deno it has descriptors of its own. */
  readonly threadsShareFiles: boolean;
  readonly path: typeof path.posix;
  /** What a secret can be left with. */
  readonly keychain: "macos" | "secret-service" | undefined;
  /** The program and arguments that come before a line for the shell. */
  shell(env?: Environment): readonly [string, ...string[]];
  /** What opens an address in the user's browser. */
  browser(url: string): readonly [string, ...string[]];
}

/** What is so on a platform; on this one unless another is named. */
export function platformOf(name: NodeJS.Platform = process.platform, runtime = runtimeOf(process.versions)): Platform {
  const windows = name === "win32";
  return {
    name,
    hasProcessGroups: !windows,
    hasProc: name === "linux",
    handsOnDescriptors: !windows,
    readsPipes: !windows && runtime !== "bun",
    threadsShareFiles: runtime === "node",
    path: windows ? path.win32 : path.posix,
    keychain: name === "darwin" ? "macos" : name === "linux" ? "secret-service" : undefined,
    shell: (env = process.env) => (windows ? [env.ComSpec ?? "cmd.exe", "/d", "/s", "/c"] : ["/bin/sh", "-c"]),
    browser: (url) => {
      if (name === "darwin") return ["open", url];
      // Not `start`: to cmd.exe an `&` of the address would end it.
      return windows ? ["rundll32", "url.dll,FileProtocolHandler", url] : ["xdg-open", url];
    },
  };
}

function runtimeOf(versions: Readonly<Record<string, string | undefined>>): Runtime {
  if (versions.bun !== undefined) return "bun";
  return versions.deno === undefined ? "node" : "deno";
}

/** This one. */
export const PLATFORM: Platform = platformOf();
