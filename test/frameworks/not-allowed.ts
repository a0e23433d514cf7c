/** What every framework is tried with, as the table of docs/frameworks.md names it. */
export const CASES = {
  log: "log of 3 MB",
  error: "error of 3 MB",
  parallel: "parallel calls",
  streaming: "streaming tool",
  image: "image beside text",
  abort: "aborted call",
  question: "question from the conversation",
} as const;

export type Case = keyof typeof CASES;

/** The frameworks, and why a case cannot be tried in one; what is not named here is tried in its own test. */
export const NOT_ALLOWED: Readonly<Record<string, Partial<Readonly<Record<Case, string>>>>> = {
  "AI SDK 6": {},
  "AI SDK 7": {},
  "OpenAI Agents, boundTools": {
    streaming: "no such tools",
    question: "a tool is not told the conversation",
  },
  "OpenAI Agents, spillwayInputFilter": { streaming: "no such tools" },
  "LangChain, spillwayMiddleware": {},
  "LangChain, boundTools": { question: "a tool is not told the conversation" },
  deepagents: {},
  Mastra: {},
  "Claude Agent SDK": { streaming: "no such tools" },
  "Google ADK": { streaming: "in live sessions only" },
  Strands: {},
};
