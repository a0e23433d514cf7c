export function shownLine(line: string): string;
export function keptKeys(
  keys: readonly { readonly line?: number | null; readonly text: string }[],
  preview: string,
): boolean[];
