import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { blocksOf, readPage } from "../snippets/blocks.ts";
import { describePage } from "../snippets/describe-page.ts";
import { drawBeforeAfter } from "../snippets/draw-before-after.ts";
import { Sandbox } from "../snippets/sandbox.ts";
import { builtPackage, PROJECT } from "../support/build.ts";

const PAGES = ["README.md", "README.zh-CN.md"];
const PICTURE = join(PROJECT, "docs/images/before-after.svg");
const folder = mkdtempSync("/tmp/spillway-picture-");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const page of PAGES) describePage(page);

it.skipIf(process.platform !== "linux")("the picture shows what its two commands print", async () => {
  const blocks = PAGES.flatMap((page) => blocksOf(readPage(page))).filter(({ source }) =>
    /--strategy head_tail/.test(source),
  );
  expect(blocks.map(({ source }) => source)).toEqual([blocks[0]!.source, blocks[0]!.source]);
  const commands = blocks[0]!.source.trim().split("\n");
  const sandbox = new Sandbox(folder, await builtPackage(), {}, true);
  const titles = ["Cut by position", "Spillway"];
  const panels = await Promise.all(
    commands.map(async (command, at) => ({
      title: titles[at]!,
      command,
      text: (await sandbox.shell(command)).stdout,
    })),
  );
  const drawn = drawBeforeAfter(panels);
  expect(panels.map(({ text }) => /error TS2345/.test(text))).toEqual([false, true]);
  if (process.env.UPDATE === "1") writeFileSync(PICTURE, drawn);
  expect(readFileSync(PICTURE, "utf8")).toBe(drawn);
});
