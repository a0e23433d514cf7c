import type { Spillway } from "../gate/types.ts";
import type { Configuration } from "../limits/configuration.ts";
import { type AgentModel, type LoadedModel, loadModel } from "./model.ts";
import { createSummarizer, type Summarizer } from "./summarize.ts";

/**
 * The summarizer that the config file asks for. A model without a provider is one of the agent's own provider; where that
 * is unknown, the agent's own model summarizes. Without a tool whose strategy is `summarize`, every tool's large
 * results are summarized.
 */
export async function configuredSummarizer(
  spillway: Spillway,
  main: AgentModel | LoadedModel,
): Promise<Summarizer | undefined> {
  const { summarization, files } = await spillway.config();
  if (!summarization.enabled) return undefined;
  const { triggerThreshold: triggerChars, maxInputChars } = summarization;
  const chosen = files
    .flatMap((file) => [file.default, ...Object.values(file.tools)])
    .some(({ strategy }) => strategy === "summarize");
  const model = await openModel(summarization, main);
  return createSummarizer({ model, spillway, triggerChars, maxInputChars, ...(chosen ? {} : { everyTool: true }) });
}

async function openModel(
  { model: named, ownProviderOnly }: Configuration["summarization"],
  main: AgentModel | LoadedModel,
): Promise<AgentModel> {
  const loaded = "contextWindow" in main ? main : undefined;
  const own = loaded?.model ?? (main as AgentModel);
  if (named === undefined) return own;
  const provider = loaded?.name.split("/", 1)[0];
  // A repository must not choose who receives the output.
  if (ownProviderOnly && named.includes("/") && !named.startsWith(`${provider}/`)) return own;
  if (loaded?.loadAnother === undefined) return named.includes("/") ? (await loadModel(named)).model : own;
  const specifier = named.includes("/") ? named : `${provider}/${named}`;
  return (await loaded.loadAnother(specifier)).model;
}
