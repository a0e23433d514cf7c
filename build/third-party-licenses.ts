import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

interface BundlePlugin {
  readonly name: string;
  generateBundle(
    this: { emitFile(file: { type: "asset"; fileName: string; source: string }): void },
    options: unknown,
    bundle: Readonly<Record<string, { readonly type: string; readonly moduleIds?: readonly string[] }>>,
  ): void;
}

interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

const FILE_NAME = "THIRD-PARTY-LICENSES.md";

/**
 * Writes the licences of every package whose code is in the bundle, and of those whose files are copied beside it. A
 * package without a licence text stops the build.
 */
export function thirdPartyLicenses(copied: readonly string[]): BundlePlugin {
  return {
    name: "third-party-licenses",
    generateBundle(_options, bundle) {
      const folders = new Set(copied.map((name) => path.resolve("node_modules", name)));
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.moduleIds ?? []) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const packages = new Map(
        [...folders].map((folder) => readPackage(folder)).map((info) => [`${info.name} ${info.version}`, info]),
      );
      const sections = [...packages]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([title, { license, text }]) => `## ${title} (${license})\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`);
      const source = `# Licences of the code that is bundled with Spillway\n\n${sections.join("\n")}`;
      this.emitFile({ type: "asset", fileName: FILE_NAME, source });
    },
  };
}

/** The package a module belongs to, by the last `node_modules` in its path. */
function packageFolder(id: string): string | undefined {
  const match = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id);
  return match?.[1];
}

function readPackage(folder: string): PackageInfo {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
  const { name, version, license } = manifest;
  if (license === undefined) throw new Error(`${name} states no licence; it can not be bundled.`);
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? textOf(manifest, folder) : readFileSync(path.join(folder, file), "utf8");
  if (text === undefined) throw new Error(`${name} (${license}) has no licence text; it can not be bundled.`);
  return { name, version, license, text };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** For a package that ships no licence file: what its README says, or the known text of the licence that it states. */
function textOf({ name, license, author }: Manifest, folder: string): string | undefined {
  const readme = path.join(folder, "README.md");
  const section = existsSync(readme) ? /^#+ *licen[cs]e\b[\s\S]*/im.exec(readFileSync(readme, "utf8"))?.[0] : undefined;
  if (section !== undefined && section.length > 200) return section;
  // One text for everybody: TypeScript, which builds this, brings it.
  if (license === "Apache-2.0") return readFileSync(path.resolve("node_modules/typescript/LICENSE.txt"), "utf8");
  const owner = typeof author === "string" ? author : author?.name;
  if (license !== "MIT" && license !== "ISC") return undefined;
  return `${license} licence. Copyright (c) ${owner ?? `the authors of ${name}`}.\n\n${license === "MIT" ? MIT : ISC}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;
