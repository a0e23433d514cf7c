interface OutputPlugin {
  readonly name: string;
  generateBundle(options: unknown, bundle: Readonly<Record<string, { type: string; code?: string }>>): void;
}

/**
 * Spells every character beyond ASCII as an escape, in files whose names match, so that they are read and scanned one
 * byte a character. To be used only for code that has no such character in a raw template, but in that of a pattern. Last
 * of all, since what is done to a chunk after it is rendered writes such characters out again.
 */
export function asciiOnly(names = /./): OutputPlugin {
  return {
    name: "ascii-only",
    generateBundle: (_options, bundle) => {
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== "chunk" || file.code === undefined || !names.test(name)) continue;
        file.code = file.code.replace(/[^\0-\x7f]/g, asEscape);
      }
    },
  };
}

function asEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
