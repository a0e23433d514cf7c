import type { Spillway } from "../gate/types.ts";
import { type AgentModel, type LoadedModel, loadModel } from "./model.ts";
import { createSummarizer, type Summarizer } from "./summarize.ts";

/**
 * The summarizer that the config file asks for. A model without a provider is one of the agent's own provider; where that
 * is not known, the agent's own model summarizes. Without a tool whose strategy is `summarize`, every tool's large
 * results are summarized.
 */
export async function configuredSummarizer(
  spillway: Spillway,
  main: AgentModel | LoadedModel,
): Promise<Summarizer | undefined> {
  const file = await spillway.config();
  if (file?.summarization.enabled !== true) return undefined;
  const { triggerThreshold: triggerChars, maxInputChars, model: named } = file.summarization;
  const chosen = [file.default, ...Object.values(file.tools)].some(({ strategy }) => strategy === "summarize");
  const model = await openModel(named, main);
  return createSummarizer({ model, spillway, triggerChars, maxInputChars, ...(chosen ? {} : { everyTool: true }) });
}

async function openModel(named: string | undefined, main: AgentModel | LoadedModel): Promise<AgentModel> {
  const loaded = "contextWindow" in main ? main : undefined;
  const own = loaded?.model ?? (main as AgentModel);
  if (named === undefined) return own;
  if (loaded?.loadAnother === undefined) return named.includes("/") ? (await loadModel(named)).model : own;
  const specifier = named.includes("/") ? named : `${loaded.name.split("/", 1)[0]}/${named}`;
  return (await loaded.loadAnother(specifier)).model;
}
