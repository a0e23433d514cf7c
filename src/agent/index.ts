export { type AccountedTool, accountSession, type SessionAccount } from "./accounting.ts";
export { type Agent, type AgentOptions, type AgentOutcome, type RunOptions, SYSTEM_PROMPT } from "./agent.ts";
export { createAgent } from "./create-agent.ts";
export type {
  ArtifactPointer,
  BudgetLearned,
  EndReason,
  HistoryDropped,
  HistoryStubbed,
  Measure,
  ModelAnswer,
  ModelRetried,
  Notice,
  PermissionDecided,
  ResultShrunk,
  SessionEvent,
  SessionFact,
  SessionResumed,
  SessionStart,
  ToolCallEvent,
  ToolResultEvent,
  TurnEnd,
  TurnOutcome,
  UserMessage,
} from "./events.ts";
export type { CheckedAnswer, Evidence } from "./evidence.ts";
export {
  createExploreAgent,
  createExploreRunner,
  EXPLORE_PROMPT,
  type ExploreAnswer,
  type ExploreOptions,
  explore,
} from "./explore.ts";
export { createFileSessions } from "./file-sessions.ts";
export { type DamagedSession, listDamagedSessions, listSessions, type SessionSummary } from "./list-sessions.ts";
export type { RetryOptions } from "./model.ts";
export { type AgentModel, type LoadedModel, type LoadModelOptions, loadModel } from "./model.ts";
export type { AskPermission } from "./permission-check.ts";
export type { SessionDamage } from "./read-events.ts";
export { repairSession, type SessionRepair } from "./repair-session.ts";
export { readSession } from "./session.ts";
export type { EventListener, NewSession, OpenSession, SessionStore, TailOptions } from "./session-store.ts";
export { createSummarizer, type Summarizer, type SummarizerOptions } from "./summarize.ts";
export {
  composeRunners,
  type Lineage,
  type TaskAgent,
  type TaskAnswer,
  type TaskRequest,
  type TaskRunner,
} from "./task.ts";
