import { isObject } from "../../../bytes/json/is-object.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { matchesAny } from "../../../bytes/match-name.ts";
import { textBlock } from "../../../gate/render/mcp-notice.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { MissingServer } from "../servers/list-cache.ts";
import type { ShelvedTool, ToolShelf } from "../servers/tool-shelf.ts";
import { rankTools } from "./rank-tools.ts";

/** The tool with which a client searches for others. */
export const FIND_TOOLS = "find_tools";
/** The tool with which a client calls the tools it found. */
export const CALL_TOOL = "call_tool";

const DEFAULT_FOUND = 5;
const MOST_FOUND = 20;
/** A search waits longer than a list: a model takes missing results for missing tools. */
const WAIT_MS = 20_000;

/** Shows clients two tools instead of all: one to look for tools, one to call them. */
export class LazyTools {
  readonly #shelf: ToolShelf;
  /** Patterns of whole names. */
  readonly #pinned: readonly string[];
  /** Servers whose instructions this client has seen. */
  readonly #introduced = new Set<string>();

  constructor(shelf: ToolShelf, pinned: readonly string[]) {
    this.#shelf = shelf;
    this.#pinned = [
      ...pinned,
      ...shelf.servers.flatMap(({ name, entry }) => entry.pin.map((pattern) => `${name}__${pattern}`)),
    ];
  }

  /** The servers that must be asked to know the pinned tools. */
  get pinnedServers(): readonly ToolShelf["servers"][number][] {
    return this.#shelf.servers.filter(({ name }) =>
      this.#pinned.some((pattern) => pattern.startsWith(`${name}__`) || pattern.startsWith("*")),
    );
  }

  isPinned(name: string): boolean {
    return matchesAny(this.#pinned, name);
  }

  /** The two tools as `tools/list` shows them. */
  define(): readonly JsonObject[] {
    const servers = this.#shelf.servers.map(({ name }) => name).join(", ");
    return [
      {
        name: FIND_TOOLS,
        title: "Find tools",
        description: `Finds tools of these servers by what they do: ${servers}. Returns their definitions; call them with ${CALL_TOOL}. An empty query lists all names.`,
        inputSchema: {
          type: "object",
          properties: {
            query: { type: "string", description: "What you want to do, in plain words" },
            limit: { type: "integer", minimum: 1, maximum: MOST_FOUND, default: DEFAULT_FOUND },
          },
          required: ["query"],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
      {
        name: CALL_TOOL,
        title: "Call a tool",
        description: `Calls a tool that ${FIND_TOOLS} returned, with arguments that fit its inputSchema.`,
        inputSchema: {
          type: "object",
          properties: {
            name: { type: "string", description: "As found: SERVER__tool" },
            arguments: { type: "object", description: "As the tool's inputSchema says" },
          },
          required: ["name"],
          additionalProperties: false,
        },
      },
    ];
  }

  /** Answers `find_tools`. */
  async find(args: JsonObject): Promise<JsonObject> {
    const query = typeof args.query === "string" ? args.query.trim() : "";
    const limit =
      typeof args.limit === "number" ? Math.max(1, Math.min(MOST_FOUND, Math.floor(args.limit))) : DEFAULT_FOUND;
    const { tools, missing } = await this.#shelf.all({ live: false, waitMs: WAIT_MS });
    const notes = missing.map(describeMissing);
    if (query === "") return answer(tools.map(({ name }) => name).join("\n"), notes);
    const found = (await rankTools(query, tools)).slice(0, limit);
    if (found.length === 0)
      return answer("[]", [`No tool of ${tools.length} has any of these words; say it in others.`, ...notes]);
    const definitions = JSON.stringify(found.map(({ definition }) => definition));
    const next = `Call one: ${CALL_TOOL} {"name":${JSON.stringify(found[0]!.name)},"arguments":{…}}. ${found.length} of ${tools.length} tools shown.`;
    return answer(definitions, [next, ...notes, ...(await this.#introduce(found))]);
  }

  /** The error for a call of an unknown tool; undefined if a server has it or does not list its tools. */
  async unknown(name: string): Promise<string | undefined> {
    const lists = await this.#shelf.find(name)?.server.recall();
    if (this.#shelf.find(name) && !lists) return undefined;
    const { tools, missing } = await this.#shelf.all({ live: false, waitMs: WAIT_MS });
    if (tools.some((tool) => tool.name === name)) return undefined;
    const near = (await rankTools(name, tools)).slice(0, 3).map((tool) => tool.name);
    const others = near.length > 0 ? [`Did you mean ${near.join(", ")}?`] : [];
    return [`There is no tool ${JSON.stringify(name)}.`, ...others, ...missing.map(describeMissing)].join(" ");
  }

  async #introduce(found: readonly ShelvedTool[]): Promise<readonly string[]> {
    const notes: string[] = [];
    for (const { server } of found) {
      if (this.#introduced.has(server.name)) continue;
      this.#introduced.add(server.name);
      const instructions = (await server.recall())?.instructions?.trim();
      if (instructions) notes.push(`Instructions of ${server.name}: ${instructions}`);
    }
    return notes;
  }
}

/** The tool and arguments that a call through `call_tool` means; models may write the arguments as text. */
export function readCall(args: JsonObject): { readonly name: string; readonly arguments: JsonObject } | undefined {
  if (typeof args.name !== "string") return undefined;
  const given = args.arguments ?? {};
  const parsed = isObject(given) ? given : parseJson(String(given));
  return isObject(parsed) ? { name: args.name, arguments: parsed } : undefined;
}

function describeMissing({ server, reason }: MissingServer): string {
  return `${server.name} is not available: ${reason}.`;
}

function answer(text: string, notes: readonly string[]): JsonObject {
  const blocks = [text, notes.join("\n")].filter((each) => each !== "");
  return { content: blocks.map(textBlock) };
}
