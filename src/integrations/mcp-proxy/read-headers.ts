import { invalidArgument } from "../../errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Headers from "Name: value" lines and SPILLWAY_HEADERS; `${NAME}` in a value is taken from the environment. */
export function readHeaders(lines: readonly string[], environment: Environment): Record<string, string> {
  const all = [...(environment.SPILLWAY_HEADERS ?? "").split("\n").filter((line) => line.trim() !== ""), ...lines];
  return Object.fromEntries(all.map((line) => readHeader(line, environment)));
}

function readHeader(line: string, environment: Environment): [name: string, value: string] {
  const match = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line);
  if (!match) throw invalidArgument('A header must look like "Name: value".');
  const value = match[2]!.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const found = environment[name];
    if (found === undefined) throw invalidArgument(`The header ${match[1]} needs ${name}, which is not set.`);
    return found;
  });
  return [match[1]!, value];
}
