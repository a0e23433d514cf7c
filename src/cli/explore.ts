import { Command } from "commander";
import { given, parseLimit } from "../limits/check.ts";
import { addModelOptions, type ModelFlags, openModel } from "./agent/open-agent.ts";
import { checkQuestion, findTarget, openArtifacts, type Target } from "./artifacts/open-artifacts.ts";
import { writeJson, writeOut } from "./emit.ts";
import { addProjectOptions, resolveProject } from "./options.ts";
import { tell } from "./terminal.ts";

interface ExploreFlags extends ModelFlags {
  readonly json?: boolean;
  readonly limit?: string;
}

/** `spillway explore` */
export function createExploreCommand(): Command {
  return addModelOptions(addProjectOptions(new Command("explore")))
    .description(
      "Answer a question about an artifact, file or folder with a conclusion and evidence (path:line): by ranking passages, or with --model by the explore agent.",
    )
    .argument("<path|id>", "file, folder, artifact id, name or call id")
    .argument("<question>", "what you want to know")
    .option("--limit <n>", "how much evidence to show at most (default: 5)")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExamples:\n  spillway explore src "where are sessions locked?"\n  spillway explore ID "why did the build fail?"',
    )
    .action((reference: string, question: string, flags: ExploreFlags) => explore(reference, question, flags));
}

async function explore(reference: string, question: string, flags: ExploreFlags): Promise<void> {
  const limit = given(flags.limit, "--limit", parseLimit) ?? 5;
  checkQuestion(question);
  const artifacts = await openArtifacts(flags);
  const target = await findTarget(artifacts, reference);
  if (flags.model !== undefined) return exploreByAgent(target, question, flags);
  const { searchTarget } = await import("./artifacts/search-target.ts");
  const { concludeFromPassages } = await import("../artifacts/search/conclude.ts");
  const passages = await searchTarget(artifacts.root, target, question, { limit });
  const answer = concludeFromPassages(question, target.label, passages);
  if (passages.length === 0) process.exitCode = 1;
  if (flags.json === true) return writeJson({ ...answer, passages });
  if (passages.length === 0) return tell(answer.conclusion);
  const evidence = answer.evidence.map(({ pointer, quote }) => `- ${pointer}: ${quote}\n`).join("");
  await writeOut(`${answer.conclusion}\n${evidence === "" ? "" : `\nEvidence:\n${evidence}`}`);
}

async function exploreByAgent(target: Target, question: string, flags: ExploreFlags): Promise<void> {
  const { explore: ask } = await import("../agent/explore.ts");
  const { createSpillway } = await import("../gate/spillway.ts");
  const spillway = createSpillway({ ...resolveProject(flags), surface: "agent" });
  const answer = await ask(`In ${target.label}: ${question}`, { model: await openModel(flags), spillway });
  const { text, reason, incomplete } = answer;
  if (reason !== "done" || text.trim() === "") process.exitCode = 1;
  if (flags.json === true) await writeJson(answer);
  else if (text.trim() !== "") await writeOut(`${text}\n`);
  if (incomplete !== undefined) {
    const what = text.trim() === "" ? "there is no answer" : "the answer is not complete";
    tell(`${what}: ${incomplete.because}. ${incomplete.next ?? ""}`.trimEnd());
  }
}
