import { PLATFORM, platformOf } from "./platform.ts";

/** The way from a folder down to a location, POSIX and empty for the folder itself; undefined for what lies elsewhere. */
export function pathBelow(folder: string, location: string, platform?: NodeJS.Platform): string | undefined {
  const { relative, isAbsolute, sep } = (platform === undefined ? PLATFORM : platformOf(platform)).path;
  const parts = relative(folder, location).split(sep);
  return parts[0] === ".." || isAbsolute(parts.join(sep)) ? undefined : parts.join("/");
}
