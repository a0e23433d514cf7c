/**
 * A pattern that is made with its first use. An engine reads a literal with classes of Unicode when it loads the file,
 * and thirty of them take as long as all else that it has to read there.
 */
export function latePattern(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source, flags);
    return pattern;
  };
}
