import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modules } from "../../tsdown.config.ts";
import { PROJECT } from "../support/build.ts";
import { readInnerTypes, readPublicNames } from "./public-types.ts";

/** What a user can call, entry by entry. A name is added here only when someone outside needs it. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ".": [
    "ObservationTruncator",
    "PRESETS",
    "SecretNumbers",
    "SpillwayError",
    "Tool",
    "Truncate",
    "createLocalStore",
    "createMemoryStore",
    "createSpillway",
    "defineStore",
    "isSpillwayError",
    "renderEnvelope",
    "renderHint",
    "renderMessage",
    "renderWrapper",
  ],
  "./preview": ["createAccumulator", "estimateTokens", "preview"],
  "./tokenizer": ["loadTokenizer"],
  "./protocol": [
    "TOOL_ERROR_CODES",
    "ToolFailure",
    "failure",
    "fromLegacy",
    "partial",
    "success",
    "toolResponseJsonSchema",
    "toolResponseSchema",
    "validateToolResponse",
  ],
  "./artifacts": [
    "createLocalStore",
    "createMemoryStore",
    "defineStore",
    "grepFile",
    "queryArtifact",
    "searchPassages",
  ],
  "./artifacts/contract": ["describeArtifactStore"],
  "./artifacts/s3": ["createS3Store"],
  "./artifacts/store-author": [
    "artifactIdTime",
    "createArtifactId",
    "createArtifactName",
    "createMemorySource",
    "grepSource",
    "isArtifactId",
    "openFileSource",
    "parseArtifactName",
    "readLinesFrom",
    "readTextRange",
    "scanLineIndex",
    "searchSource",
  ],
  "./tools": ["builtInTools", "createToolRegistry", "defineTool"],
  "./agent/contract": ["describeSessionStore"],
  "./agent/postgres": ["createPostgresSessions"],
  "./agent": [
    "EXPLORE_PROMPT",
    "SYSTEM_PROMPT",
    "accountSession",
    "composeRunners",
    "createAgent",
    "createExploreAgent",
    "createExploreRunner",
    "createFileSessions",
    "createSummarizer",
    "explore",
    "listDamagedSessions",
    "listSessions",
    "loadModel",
    "readSession",
    "repairSession",
  ],
  "./mcp": ["TRUNCATION_META_KEY", "startMcpServer", "startProxy"],
  "./messages": ["boundMessages", "readerTools"],
  "./ai-sdk": ["boundTools", "readerTools", "spillwayMiddleware"],
  "./openai-agents": ["boundTools", "readerTools", "spillwayInputFilter"],
  "./langchain": ["boundTools", "readerTools", "spillwayMiddleware"],
  "./mastra": ["boundTools", "readerTools"],
  "./claude-agent-sdk": ["boundTools", "readerTools", "spillwayHooks"],
  "./adk": ["readerTools", "spillwayPlugin"],
  "./strands": ["boundAgent", "readerTools"],
};

const API_HEAD = `# API

What each entry of the package exports, made from the declarations and their comments by \`npm run docs:api\`; a test compares
the two. Options name their defaults.

`;

const INNER_HEAD = `## Types that these name

No entry exports them: they are parts of what is above, and you need no name for them.

`;

/** Entries of which a user imports one: the same names do the same for another framework. */
const FRAMEWORKS = [
  "./messages",
  "./ai-sdk",
  "./openai-agents",
  "./langchain",
  "./mastra",
  "./claude-agent-sdk",
  "./adk",
  "./strands",
];
const SHARED_BY_FRAMEWORKS = ["boundTools", "readerTools", "spillwayMiddleware", "SpillwayMiddleware"];

const { exports } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
  exports: Record<string, string | { default: string }>;
};
const sources = modules.entry as Readonly<Record<string, string>>;

/** Each entry and the source file it is built from. */
const entries = Object.entries(exports).flatMap(([name, target]) => {
  if (typeof target === "string") return [];
  return [[name, sources[target.default.replace(/^\.\/dist\/(.*)\.mjs$/, "$1")] ?? ""] as const];
});
const surface = readPublicNames(entries.map(([, source]) => source));
const namesOf = (source: string) => surface.get(source) ?? [];

describe("the public surface", () => {
  it("is this list of values, and no other", () => {
    const values = entries.map(([entry, source]) => {
      return [entry, namesOf(source).flatMap(({ name, value }) => (value ? [name] : []))] as const;
    });
    expect(Object.fromEntries(values)).toEqual(VALUES);
  });

  it("has these shapes", async () => {
    const text = entries.map(([entry, source]) => {
      const shapes = namesOf(source).map(({ name, origin, shape }) => {
        const first = entries.find(([, other]) =>
          namesOf(other).some((one) => one.origin === origin && one.name === name),
        );
        return first?.[0] === entry ? shape : `${name}: see spillway${first?.[0].slice(1)}`;
      });
      return `// spillway${entry.slice(1)}\n\n${shapes.join("\n\n")}\n`;
    });
    await expect(text.join("\n")).toMatchFileSnapshot("public-surface.snapshot.ts.txt");
  });

  it("stands on the page of the API, with what the comments say", async () => {
    const parts = entries.map(([entry, source]) => {
      const items = namesOf(source).map(({ name, said, commented, origin }) => {
        const first = entries.find(([, other]) => namesOf(other).some((one) => one.origin === origin));
        const elsewhere = first !== undefined && first[0] !== entry;
        const body = elsewhere ? `As in \`spillway${first[0].slice(1)}\`.` : `\`\`\`ts\n${commented}\n\`\`\``;
        return `### ${name}\n\n${said === "" || elsewhere ? "" : `${said}\n\n`}${body}\n`;
      });
      return `## spillway${entry.slice(1)}\n\n${items.join("\n")}`;
    });
    const inner = readInnerTypes(entries.map(([, source]) => source)).map(({ name, said, commented }) => {
      return `### ${name}\n\n${said === "" ? "" : `${said}\n\n`}\`\`\`ts\n${commented}\n\`\`\`\n`;
    });
    parts.push(`${INNER_HEAD}${inner.join("\n")}`);
    await expect(`${API_HEAD}${parts.join("\n")}`).toMatchFileSnapshot("../../docs/api.md");
  });

  it("names no type of Spillway's inside", () => {
    const inner = readInnerTypes(entries.map(([, source]) => source)).map(({ origin }) => origin);
    const ownUse = /^(?:redact|limits\/(?:user-keys|configuration))\/?|^gate\/gate-options|#ToolRunOptions/;
    expect(inner.filter((origin) => ownUse.test(origin))).toEqual([]);
  });

  it("gives one name one meaning in all entries", () => {
    const meanings = new Map<string, Set<string>>();
    for (const [entry, source] of entries)
      for (const { name, origin } of namesOf(source))
        if (!FRAMEWORKS.includes(entry) || !SHARED_BY_FRAMEWORKS.includes(name))
          meanings.set(name, (meanings.get(name) ?? new Set()).add(origin));
    const several = [...meanings].filter(([, origins]) => origins.size > 1);
    expect(several.map(([name, origins]) => [name, ...origins])).toEqual([]);
  });

  it("is named export by export", () => {
    const starred = entries.filter(([, source]) =>
      /export (type )?\*/.test(readFileSync(join(PROJECT, source), "utf8")),
    );
    expect(starred).toEqual([]);
  });
});

describe("comments", () => {
  it("are for strangers: they name no document that is not in the package", () => {
    const files = readdirSync(join(PROJECT, "src"), { recursive: true, encoding: "utf8" });
    const inside = files
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => {
        const text = readFileSync(join(PROJECT, "src", file), "utf8");
        const comments = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];
        const telling = comments.filter((comment) =>
          // S3 is a service, not a row of a list.
          /\bseeds?\b|\bREQ-|\bissue \d|\b(?!S3\b)[A-FS]\d{1,2}(?!\w)('s)?\b/i.test(comment),
        );
        return telling.map((comment) => `${file}: ${comment}`);
      });
    expect(inside).toEqual([]);
  });
});
