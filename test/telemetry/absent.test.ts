import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";

/** Bounds an output with a built package, after `before`, and gives what `after` prints. */
function governWith(dist: string, before: string, after: string): string {
  const folder = mkdtempSync(join(tmpdir(), "spillway-absent-"));
  const script = join(folder, "main.mjs");
  writeFileSync(
    script,
    `import module from "node:module";
     process.on("warning", ({ message }) => console.log(message));
     ${before}
     const { createSpillway } = await import(${JSON.stringify(pathToFileURL(join(dist, "index.mjs")).href)});
     const spillway = createSpillway({ root: ${JSON.stringify(folder)} });
     for (const output of ["small", "long\\n".repeat(5000)]) console.log((await spillway.govern(output)).kind);
     await new Promise((resolve) => setImmediate(resolve));
     ${after}`,
  );
  return execFileSync(process.execPath, [script], { encoding: "utf8" });
}

it("is not loaded where no SDK is registered", async () => {
  const { dist } = await builtPackage();
  const loaded = `console.log(Object.keys(module._cache).filter((file) => file.includes("opentelemetry")).length);`;
  expect(governWith(dist, "", loaded)).toBe("whole\nbounded\n0\n");
  const registered = `const { createRequire } = module;
    const { trace, ProxyTracerProvider } = createRequire(${JSON.stringify(import.meta.filename)})("@opentelemetry/api");
    trace.setGlobalTracerProvider(new ProxyTracerProvider());`;
  expect(governWith(dist, registered, loaded)).toMatch(/^whole\nbounded\n[1-9]\d*\n$/);
});

it("is missed with one word where an SDK is registered and the peer is not there", async () => {
  const { dist } = await builtPackage();
  const alone = mkdtempSync(join(tmpdir(), "spillway-alone-"));
  cpSync(dist, alone, { recursive: true, filter: (file) => file === dist || /\.mjs$/.test(file) });
  const registered = `globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.9.0", trace: {} };`;
  const said = governWith(alone, registered, "");
  expect(said.match(/^(whole|bounded)$/gm)).toEqual(["whole", "bounded"]);
  expect(said.match(/@opentelemetry\/api cannot be loaded/g)).toHaveLength(1);
});
