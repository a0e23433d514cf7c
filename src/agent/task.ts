import { z } from "zod";
import { messageOf } from "../errors.ts";
import { kinds } from "../limits/options.ts";
import type { ToolResponse } from "../protocol/types.ts";
import type { SecretNumbers } from "../redact/secret-numbers.ts";
import { defineTool, type ToolDefinition } from "../tools/registry/define-tool.ts";
import type { ToolRun } from "../tools/registry/tool-run.ts";

/** A sub-agent as the Task tool's description shows it. */
export interface TaskAgent {
  readonly name: string;
  /** A short description. */
  readonly description: string;
  /** When to call it, as it follows "Use it". @default not said */
  readonly use?: string | undefined;
}

/** A sub-agent's position below its caller. */
export interface Lineage {
  readonly agent: string;
  readonly parent: { readonly session: string; readonly callId: string };
  /** 1 for the first sub-agent. */
  readonly depth: number;
  /** The session's numbers for secrets, so that a placeholder means the same above and below. */
  readonly secrets?: SecretNumbers | undefined;
}

export interface TaskRequest {
  readonly agent: string;
  readonly prompt: string;
  /** Give it to `createAgent`, so that the child's session is linked and counts its depth. */
  readonly lineage: Lineage;
  readonly signal?: AbortSignal | undefined;
}

/** A sub-agent's answer; `text` passes the gate, so it may be of any length. */
export interface TaskAnswer {
  readonly text: string;
  /** Small facts next to the text, such as the child's session. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Set if the answer is incomplete; the Task is then partial, or an error without any text. */
  readonly incomplete?:
    | {
        readonly because: string;
        readonly next?: string | undefined;
        /** What of it failed. @default the answer is truncated */
        readonly failedItems?: readonly [string, ...string[]] | undefined;
      }
    | undefined;
}

/** Executes tasks for the agents it lists. A rejection becomes an error envelope. */
export interface TaskRunner {
  readonly agents: readonly TaskAgent[];
  run(request: TaskRequest): Promise<TaskAnswer>;
}

const isRunner = kinds.having("a runner, { agents: […], run(request) }", "agents", "run");

/** Combines runners: each agent goes to the first that lists it, others fail with the list of agents. */
export function composeRunners(...runners: readonly TaskRunner[]): TaskRunner {
  for (const runner of runners) {
    isRunner(runner, "Each argument of composeRunners()");
    checkTaskAgents(runner.agents, "A runner's agents");
  }
  const byName = new Map<string, { agent: TaskAgent; runner: TaskRunner }>();
  for (const runner of runners) {
    for (const agent of runner.agents) if (!byName.has(agent.name)) byName.set(agent.name, { agent, runner });
  }
  const agents = [...byName.values()].map((entry) => entry.agent);
  return {
    agents,
    async run(request) {
      const found = byName.get(request.agent);
      if (found === undefined) throw new UnknownAgent(request.agent, agents);
      return found.runner.run(request);
    },
  };
}

/** Combines runners, with agents described, and added, by `taskAgents`. */
export function listTaskAgents(runners: readonly TaskRunner[], taskAgents: readonly TaskAgent[] = []): TaskRunner {
  const composed = composeRunners(...runners);
  const own = new Map(taskAgents.map((agent) => [agent.name, agent]));
  const others = taskAgents.filter(({ name }) => !composed.agents.some((agent) => agent.name === name));
  const agents = [...composed.agents.map((agent) => own.get(agent.name) ?? agent), ...others];
  const taker = runners.find((runner) => runner.agents.length === 0);
  return {
    agents,
    async run(request) {
      if (!others.some(({ name }) => name === request.agent)) return composed.run(request);
      if (taker !== undefined) return taker.run(request);
      throw new UnknownAgent(request.agent, composed.agents, "No runner handles the agent");
    },
  };
}

/** Throws a readable error if the value is not a list of sub-agents. */
export function checkTaskAgents(value: unknown, name: string): void {
  kinds.list(value, name);
  for (const [index, agent] of (value as readonly unknown[]).entries()) {
    kinds.object(agent, `${name}[${index}]`);
    for (const key of ["name", "description", "use"] as const) {
      const said = (agent as Partial<TaskAgent>)[key];
      if (key !== "use" || said !== undefined) kinds.text(said, `${name}[${index}].${key}`);
    }
  }
}

/** No runner handles the requested agent. */
export class UnknownAgent extends Error {
  override readonly name = "UnknownAgent";

  constructor(agent: string, agents: readonly TaskAgent[], what = "There is no agent") {
    super(`${what} "${agent.slice(0, 100)}". Agents: ${agents.map((one) => one.name).join(", ") || "none"}.`);
  }
}

/** Description of the Task tool; `{{agents}}` becomes the list of agents. */
export const TASK_DESCRIPTION = `Gives a task to a sub-agent that works in a context of its own and returns only its answer.
Call Task(agent="…", prompt="…"). The sub-agent sees nothing of this conversation: put paths and the question in the prompt.
Several calls in one step run side by side.

Agents:
{{agents}}`;

export function renderTaskDescription(agents: readonly TaskAgent[], template = TASK_DESCRIPTION): string {
  const list = agents
    .map(({ name, description, use }) => `- ${name}: ${description}${use === undefined ? "" : ` Use it ${use}`}`)
    .join("\n");
  return template.replaceAll("{{agents}}", () => list);
}

export interface TaskToolOptions {
  readonly runner: TaskRunner;
  readonly session: string;
  /** Depth of the agent that has this tool. */
  readonly depth: number;
  readonly secrets?: SecretNumbers | undefined;
}

const NEXT = "Do it yourself or ask it differently.";

/** No text is no answer, whatever the runner says. */
function reply(agent: string, { text, data = {}, incomplete }: TaskAnswer, run: ToolRun): ToolResponse {
  const next = incomplete?.next ?? NEXT;
  if (text.trim() === "") {
    const because = incomplete === undefined ? "" : `: ${incomplete.because}`;
    return run.failure("EXECUTION_ERROR", `${agent} ended without an answer${because}.`, {
      next,
      data: { agent, ...data },
    });
  }
  const answer = { agent, ...data, content: text };
  if (incomplete === undefined) return run.success(answer, `${agent} answered.`);
  const { because, failedItems } = incomplete;
  const reduction = failedItems === undefined ? { truncated: true as const } : { failed_items: failedItems };
  return run.partial({ ...answer, ...reduction }, `${agent} answered in part.`, { because, next });
}

export function createTaskTool(options: TaskToolOptions): ToolDefinition {
  const { runner, session, depth, secrets } = options;
  return defineTool({
    name: "Task",
    description: renderTaskDescription(runner.agents),
    parameters: z.object({
      agent: z
        .string()
        .min(1)
        .describe(`One of: ${runner.agents.map((agent) => agent.name).join(", ")}`),
      prompt: z.string().min(1).describe("What to find out or do, with every path it needs"),
    }),
    readOnly: false,
    asksModel: true,
    async execute({ agent, prompt }, run) {
      const lineage: Lineage = { agent, parent: { session, callId: run.callId ?? "" }, depth: depth + 1, secrets };
      try {
        const answer = await runner.run({ agent, prompt, lineage, signal: run.signal });
        return reply(agent, answer, run);
      } catch (error) {
        if (error instanceof UnknownAgent) {
          return run.failure("NOT_FOUND", error.message, { next: "Call Task with one of these." });
        }
        const message = messageOf(error);
        return run.failure("EXECUTION_ERROR", `${agent} failed: ${message}`, {
          next: NEXT,
        });
      }
    },
  });
}
