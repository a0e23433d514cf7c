import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { findHost } from "../../src/integrations/hosts/find-host.ts";
import { seenName } from "../../src/integrations/mcp-shared/mcp-client.ts";
import { type Agent, merge, type Place } from "../hosts/agents/agent.ts";
import { AGENTS } from "../hosts/agents/agents.ts";
import { installedVersion } from "../hosts/agents/installed.ts";
import type { SeenResult } from "../hosts/model/protocol.ts";
import type { ModelCall } from "../hosts/model/start-model.ts";
import { cleanEnvironment, init, runAgent, throwAway } from "../hosts/run-agent.ts";
import { temporaryFolder } from "../support/folder.ts";
import { keepRow, type MatrixRow, renderMatrix } from "./matrix.ts";

const LONG = process.env.SPILLWAY_MCP_LONG === "1";
const ONLY = process.env.SPILLWAY_MCP_ONLY?.split(",");
const SERVER = fileURLToPath(new URL("lab-server.mjs", import.meta.url));
const SLOW_SECONDS = 4;

/** How each agent is told to keep one tool of the server from its model. */
const DENY: Readonly<Record<string, (place: Place) => void>> = {
  "claude-code": ({ home }) =>
    merge(home, ".claude/settings.json", { permissions: { allow: ["Bash", "mcp__logs"], deny: ["mcp__logs__echo"] } }),
  codex: ({ home }) => appendFileSync(join(home, ".codex/config.toml"), 'disabled_tools = ["echo"]\n'),
  gemini: ({ home }) => {
    const file = join(home, ".gemini/settings.json");
    const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
    merge(home, ".gemini/settings.json", { mcpServers: { logs: { ...mcpServers.logs, excludeTools: ["echo"] } } });
  },
  qwen: ({ home }) => {
    const file = join(home, ".qwen/settings.json");
    const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
    merge(home, ".qwen/settings.json", { mcpServers: { logs: { ...mcpServers.logs, excludeTools: ["echo"] } } });
  },
  opencode: ({ home }) =>
    merge(home, ".config/opencode/opencode.json", { permission: { "*": "allow", logs_echo: "deny" } }),
};

for (const agent of AGENTS.filter(({ host, server }) => server && (ONLY === undefined || ONLY.includes(host)))) {
  const version = installedVersion(agent.package);
  describe.skipIf(version === undefined)(`${agent.title} ${version ?? "(not installed)"}`, () => {
    test("shows its model what matters of every answer, and what to call next", () => tryAnswers(agent, version ?? ""));
    test.runIf(LONG)("waits for a server that starts slowly, or says so", () => trySlow(agent, version ?? ""));
    test.runIf(LONG)("keeps a denied tool denied behind the proxy", () => tryDenied(agent, version ?? ""));
    test.runIf(agent.host === "claude-code")("shows all of a result that its user's limits allow", () =>
      tryLong(agent),
    );
  });
}

afterAll(() => console.log(`\n${renderMatrix()}`));

interface Step extends ModelCall {
  readonly name: string;
}

/** A tool of the server as the agent's model sees it. */
function nameOf(agent: Agent, tool: string): string {
  return seenName(tool, findHost(agent.host).mcp?.client, "logs");
}

/** What has to be called before a tool is offered. */
function finds(agent: Agent, tools: readonly string[]): Step[] {
  if (agent.host === "codex") {
    const queries = ["lab log file rows image broken echo", "read saved output of a truncated result"];
    return queries.map((query) => ({ name: query, tools: ["tool_search"], input: () => ({ query, limit: 20 }) }));
  }
  if (agent.host !== "qwen") return [];
  return tools.map((tool) => ({
    name: `find ${tool}`,
    tools: ["tool_search"],
    input: () => ({ query: `select:${nameOf(agent, tool)}` }),
  }));
}

interface Setting {
  readonly deny?: boolean;
  /** What is given to `spillway init`; nothing to leave the server without a proxy. */
  readonly init?: readonly string[] | undefined;
}

async function runSteps(agent: Agent, planned: readonly Step[], flags: readonly string[], setting: Setting = {}) {
  const { deny = false, init: words = ["--mcp"] } = setting;
  const journal = join(temporaryFolder("mcp"), "journal");
  // Some agents ask their model before a server has started; theirs has something else to do meanwhile.
  const waiting = agent.shell(`until grep -q tools/list '${journal}'; do sleep 0.1; done`);
  const meanwhile = (turn: number) => agent.shell(`sleep 1; echo ${turn}`);
  const [first, ...others] = planned;
  const steps = [{ name: "wait", ...waiting }, { ...first!, meanwhile }, ...others];
  const end = await runAgent(agent, {
    spillway: false,
    server: [process.execPath, SERVER, "--journal", journal, ...flags],
    calls: () => steps,
    arrange: async (place) => {
      if (deny) DENY[agent.host]?.(place);
      if (words.length > 0) await init(agent, place, cleanEnvironment(place.home), words);
    },
  });
  const of = (name: string): SeenResult | undefined => end.model.seen[steps.findIndex((step) => step.name === name)];
  return { end, of, called: readFileSync(journal, "utf8").split("\n") };
}

async function tryAnswers(agent: Agent, version: string): Promise<void> {
  const step = (tool: string, input: Record<string, unknown> = {}, name = tool): Step => ({
    name,
    tools: [nameOf(agent, tool)],
    input: () => input,
  });
  const steps: Step[] = [
    ...finds(agent, ["log", "file", "rows", "image", "broken", "echo", "spillway_read"]),
    step("log"),
    {
      ...step("spillway_read"),
      input: (seen) => ({ id: idIn(seen.at(-1)?.text ?? ""), pattern: "MARK-1" }),
    },
    step("file"),
    step("rows"),
    step("broken"),
    { ...step("echo", { word: "one" }, "one"), together: 2 },
    step("echo", { word: "two" }, "two"),
    step("echo", { word: "three" }, "three"),
    step("image"),
  ];
  const { end, of } = await runSteps(agent, steps, []);
  try {
    const limits = findHost(agent.host).mcp?.client?.maxBytes ?? { success: 0, failure: 0 };
    // Agents put words of their own around a result, and some write it as JSON once more.
    const within = (name: string, most: number): boolean =>
      Buffer.byteLength(of(name)?.text ?? "") <= most * 1.1 + 1500;
    const tells = (name: string): boolean => {
      const text = (of(name)?.text ?? "").replaceAll("\\", "");
      return text.includes(`${nameOf(agent, "spillway_read")} {"id":"${idIn(text)}"`);
    };
    const row: MatrixRow = {
      title: agent.title,
      version,
      log: has(of("log"), "MARK-1") && tells("log") && within("log", limits.success),
      json:
        has(of("rows"), '"name":"customer 1"') &&
        tells("rows") &&
        has(of("file"), "MARK-1") &&
        tells("file") &&
        within("file", limits.success),
      image: of("image") !== undefined && hasImage(end.model.requests),
      error:
        has(of("broken"), "MARK-1") &&
        tells("broken") &&
        within("broken", limits.failure * (agent.errorTwice ? 2.1 : 1.1)),
      // Some agents give the answers in the order in which they came.
      parallel: ["one", "two", "three"].every((word) => end.model.seen.some((seen) => has(seen, `echo of ${word}`))),
      readers: has(of("spillway_read"), "41001:ERROR MARK-1"),
    };
    keepRow(agent.host, row);
    expect(
      row,
      `${JSON.stringify(
        end.model.seen.map(({ text }) => [text.length, text.slice(0, 200), text.slice(-400)]),
        null,
        1,
      )}\n${end.model.missed()}\n${end.printed}`,
    ).toMatchObject({
      log: true,

      json: true,
      image: true,
      error: true,
      parallel: true,
      readers: true,
    });
  } finally {
    throwAway(end);
  }
}

async function trySlow(agent: Agent, version: string): Promise<void> {
  const echo: Step = { name: "echo", tools: [nameOf(agent, "echo")], input: () => ({ word: "late" }) };
  const steps = [...finds(agent, ["echo"]), echo];
  const { end, of } = await runSteps(agent, steps, ["--slow", String(SLOW_SECONDS)]);
  throwAway(end);
  const slow = has(of("echo"), "echo of late");
  keepRow(agent.host, { title: agent.title, version, slow });
  expect(slow, `${end.model.missed()}\n${end.printed}`).toBe(true);
}

/** Claude Code takes more than its own limit of a tool that asks for it, which the proxy does when more was configured. */
async function tryLong(agent: Agent): Promise<void> {
  const step: Step = { name: "long", tools: [nameOf(agent, "long")], input: () => ({}) };
  const seen = async (words: readonly string[]): Promise<string> => {
    const { end, of } = await runSteps(agent, [step], [], { init: words });
    throwAway(end);
    return of("long")?.text ?? end.printed;
  };
  const alone = await seen([]);
  expect(alone).toContain("<persisted-output>");
  expect(alone).not.toContain("MARK-2");
  const asked = await seen(["--mcp", "--", "--max-bytes", "120000"]);
  expect(asked).toContain("MARK-2: the last line");
  expect(asked.length).toBeGreaterThan(90_000);
}

async function tryDenied(agent: Agent, version: string): Promise<void> {
  const step = (tool: string): Step => ({ name: tool, tools: [nameOf(agent, tool)], input: () => ({ word: "x" }) });
  const steps = [...finds(agent, ["image", "echo"]), step("image"), step("echo")];
  const { end, called } = await runSteps(agent, steps, [], { deny: true });
  throwAway(end);
  const denied = called.includes("image") && !called.includes("echo");
  keepRow(agent.host, { title: agent.title, version, denied });
  expect(denied, `${called}\n${end.model.missed()}\n${end.printed}`).toBe(true);
}

function has(result: SeenResult | undefined, text: string): boolean {
  return (result?.text ?? "").replaceAll("\\", "").includes(text);
}

function idIn(text: string): string {
  return /artifact ([0-9a-z]{20,})/.exec(text)?.[1] ?? "";
}

/** The model was sent the picture, perhaps in another format; an agent whose model takes none may say so instead. */
function hasImage(requests: readonly { readonly body: string }[]): boolean {
  const sent = /"type":"image"|"inlineData"|"image_url"|"input_image"|does not support image input/;
  return requests.some(({ body }) => sent.test(body));
}
