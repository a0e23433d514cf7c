/** True when a name fits one of the patterns, in which `*` stands for any characters. */
export function matchesAny(names: readonly string[], name: string): boolean {
  return names.some((pattern) =>
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(name),
  );
}
