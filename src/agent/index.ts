export { type AccountedTool, accountSession, type SessionAccount } from "./accounting.ts";
export {
  type Agent,
  type AgentOptions,
  type AgentOutcome,
  createAgent,
  type RunOptions,
  SYSTEM_PROMPT,
} from "./agent.ts";
export * from "./events.ts";
export { type CheckedAnswer, checkEvidence, type Evidence } from "./evidence.ts";
export {
  artifactSearchTool,
  createExploreAgent,
  createExploreRunner,
  EXPLORE_PROMPT,
  EXPLORE_TOOLS,
  type ExploreAnswer,
  type ExploreOptions,
  explore,
} from "./explore.ts";
export { listSessions, type SessionSummary } from "./list-sessions.ts";
export { type AgentModel, type LoadedModel, type LoadModelOptions, loadModel } from "./model.ts";
export type { RetryOptions } from "./model-failure.ts";
export { type AskPermission, DEFAULT_RULES } from "./permission-check.ts";
export {
  readSession,
  SESSIONS_DIR,
} from "./session.ts";
export { createSummarizer, type Summarizer, type SummarizerOptions } from "./summarize.ts";
export {
  composeRunners,
  type Lineage,
  renderTaskDescription,
  TASK_DESCRIPTION,
  type TaskAgent,
  type TaskAnswer,
  type TaskRequest,
  type TaskRunner,
  UnknownAgent,
} from "./task.ts";
