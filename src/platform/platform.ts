import type { IncomingMessage } from "node:http";
import path from "node:path";

/** The longest delay of a timer, 24 days; Node treats longer ones, Infinity too, as 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** A time that a user names, as a timer may have it. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}

/** Calls back after this many milliseconds; never if undefined or longer than a timer can wait. */
export function startTimer(call: () => void, ms: number | undefined): NodeJS.Timeout | undefined {
  return ms === undefined || ms > LONGEST_MS ? undefined : setTimeout(call, ms);
}

/** The URL of a request. Clients may send anything, such as `//`, which is not a valid relative URL. */
export function requestUrl({ url = "/" }: IncomingMessage): URL {
  const address = url.startsWith("/") ? `http://localhost${url}` : url;
  return new URL(URL.canParse(address) ? address : "http://localhost/");
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The JavaScript runtime. */
export type Runtime = "node" | "bun" | "deno";

/** Differences between operating systems and runtimes that matter here. */
export interface Platform {
  readonly name: NodeJS.Platform;
  /** A child can lead its own process group, which is signalled by its negative id. */
  readonly hasProcessGroups: boolean;
  /** `/proc` lists processes, and gives access to open descriptors even if their file was renamed. */
  readonly hasProc: boolean;
  /** There are FIFOs, and children can be given open files by number. */
  readonly handsOnDescriptors: boolean;
  /** A socket reads a pipe that is given by its number; Bun's stays silent. */
  readonly readsPipes: boolean;
  /** A worker thread can read a file that the main thread opened; under Deno it has its own descriptors. */
  readonly threadsShareFiles: boolean;
  readonly path: typeof path.posix;
  /** Where secrets can be stored. */
  readonly keychain: "macos" | "secret-service" | undefined;
  /** The program and arguments that precede a shell line. */
  shell(env?: Environment): readonly [string, ...string[]];
  /** The command that opens a URL in the user's browser. */
  browser(url: string): readonly [string, ...string[]];
}

/** The facts of a platform; by default of the current one. */
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
