import { z } from "zod";
import { concludeFromPassages } from "../../artifacts/search/conclude.ts";
import { searchPassages } from "../../artifacts/search/search-passages.ts";
import { ToolFailure } from "../../protocol/tool-failure.ts";
import { defineTool } from "../../tools/registry/define-tool.ts";
import type { ToolRun } from "../../tools/registry/tool-run.ts";

const EVIDENCE = 5;

/** Answers a question about a file, folder or artifact by ranking its passages; needs no model. */
export const exploreTool = defineTool({
  name: "Explore",
  description: `Answer a question about a file, folder or saved output: a conclusion and up to ${EVIDENCE} pieces of evidence (path:line), by ranking passages.`,
  readOnly: true,
  parameters: z.strictObject({
    question: z.string().min(1).describe("What you want to know, in words that the text may contain."),
    path: z.string().default(".").describe("File or folder relative to the root, or an artifact id."),
    limit: z.int().min(1).max(50).default(EVIDENCE).describe("Most pieces of evidence."),
  }),
  async execute({ question, path, limit }, run) {
    const target = await findTarget(path, run);
    const passages = await searchPassages(target.real, question, { limit, signal: run.signal });
    const shown = passages.map((passage) => ({
      ...passage,
      path: target.artifact ?? run.sandbox.relative(passage.path),
    }));
    const { conclusion, evidence } = concludeFromPassages(question, target.artifact ?? target.relative, shown);
    const data = { conclusion, evidence: evidence.map(({ pointer, quote, reasons }) => ({ pointer, quote, reasons })) };
    const parts = { path: target.relative, stats: { evidence: evidence.length } };
    if (evidence.length > 0) return run.success(data, conclusion, parts);
    const why = { because: "evidence failed, no passage fits", next: "Ask in words that the text may hold." };
    return run.partial({ ...data, failed_items: ["evidence"] }, conclusion, why, parts);
  },
});

async function findTarget(
  given: string,
  run: ToolRun,
): Promise<{ readonly real: string; readonly relative: string; readonly artifact?: string }> {
  try {
    const opened = await run.sandbox.open(given);
    await opened.handle.close();
    return { real: opened.real, relative: opened.relative };
  } catch (error) {
    const artifact = error instanceof ToolFailure ? await run.environment.spillway.store.find(given) : undefined;
    if (!artifact) throw error;
    return { real: artifact.path, relative: artifact.name, artifact: artifact.id };
  }
}
