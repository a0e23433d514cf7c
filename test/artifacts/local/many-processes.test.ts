import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLocalStore } from "../../../src/artifacts/index.ts";
import { bundleScript } from "../../support/bundle.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PROCESSES = 20;
const WRITERS = 10;

const SCRIPT = `
  import { createHash } from "node:crypto";
  import { createLocalStore } from "src/artifacts/index.ts";
  import { utimes } from "node:fs/promises";
  const [dir, number] = process.argv.slice(2);
  const store = createLocalStore({ dir });
  const old = createLocalStore({ dir, now: () => Date.now() - 30 * 24 * 60 * 60 * 1000 });
  const results = await Promise.all(Array.from({ length: ${WRITERS} }, async (_, at) => {
    const writer = await (at === 0 ? old : store).create({ tool: "T", callId: "call " + number + "/" + at });
    const hash = createHash("sha256");
    for (let chunk = 0; chunk < 8; chunk++) {
      const bytes = Buffer.from((number + " " + at + " " + chunk + "\\n").repeat(3000));
      hash.update(bytes);
      await writer.write(bytes);
      if (chunk === at % 8) await store.cleanup();
    }
    const manifest = await writer.finish({ complete: true });
    if (at === 0) {
      const longAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);
      await utimes(writer.path, longAgo, longAgo).catch(() => {});
    }
    if (manifest.sha256 !== hash.digest("hex")) throw new Error("wrong hash");
    return { id: manifest.id, old: at === 0 };
  }));
  console.log(JSON.stringify(results));
`;

it("lets twenty processes of ten writers each write and clean one folder at once, without a loss", async () => {
  const dir = await temporaryFolder();
  const script = await bundleScript(SCRIPT);
  const outputs = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, number) => {
      const child = spawn(process.execPath, [script.path, dir, String(number)], { stdio: ["ignore", "pipe", "pipe"] });
      let out = "";
      let err = "";
      child.stdout.on("data", (text) => (out += text));
      child.stderr.on("data", (text) => (err += text));
      const [code] = await once(child, "close");
      return { code, out, err };
    }),
  );
  script.remove();
  expect(outputs.filter(({ code }) => code !== 0)).toEqual([]);
  const made = outputs.flatMap(({ out }) => JSON.parse(out) as { id: string; old: boolean }[]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(PROCESSES * WRITERS);

  const store = createLocalStore({ dir });
  for (const { id, old } of made) {
    if (old) continue;
    expect(await store.verify(id)).toMatchObject({ ok: true });
  }
  expect((await store.find("call 7/3"))?.manifest?.callId).toBe("call 7/3");
  await store.cleanup();
  const fresh = made.filter(({ old }) => !old).map(({ id }) => id);
  expect((await readdir(join(dir, ".meta"))).sort()).toEqual([".gitignore", ...fresh.map((id) => `${id}.json`)].sort());
});
