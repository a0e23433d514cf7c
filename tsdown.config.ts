import path from "node:path";
import { defineConfig, type UserConfig } from "tsdown";
import { asciiOnly } from "./build/ascii-only.ts";
import { fromModules } from "./build/from-modules.ts";
import { packGrammars } from "./build/grammars.ts";
import { lateParts } from "./build/late-parts.ts";
import { thirdPartyLicenses } from "./build/third-party-licenses.ts";

const MEASURE =
  /src\/(errors|query\/query-context|limits\/(check|defaults|options|presets|types)|preview\/(clean|measure|fit|window|omission)|bytes\/[a-z0-9-]+)\.ts$/;
/** What smart previews need of it, and nothing else. */
const COUNTED =
  /src\/(errors|limits\/(check|defaults|near-name|options|types)|preview\/(clean|measure|fit|omission)|bytes\/(json\/is-object|[a-z0-9-]+))\.ts$/;
const POSITIONS = /src\/preview\/(pieces|mark)\.ts$|late-part:.*\/estimate-tokens\.ts$/;
const ENDS = /src\/preview\/(?!smart|engine|lines|tokens|tokenizer|index).*(?<!\.d\.ts)$/;
const PREVIEW = /src\/(query|preview)\/(?!tokenizer|index).*(?<!\.d\.ts)$/;
const SOURCE = /^(?!.*late-part:).*src\/preview\/engine\/(?!line-kind|looks-like-code).*(?<!\.d\.ts)$/;
/** What source and other shapes share, and logs do not need. */
const SHAPED = /src\/preview\/lines\/(fill-room|reservoir)\.ts$/;
const STORE =
  /src\/artifacts\/(?!index|contract|store-author|search|query|s3|memory|cleanup-once|path-below|local\/digest-worker).*(?<!\.d\.ts)$/;

/** The package: its entries and what they share. */
export const modules = defineConfig({
  entry: {
    index: "src/index.ts",
    preview: "src/preview/index.ts",
    tokenizer: "src/preview/tokenizer.ts",
    protocol: "src/protocol/index.ts",
    artifacts: "src/artifacts/index.ts",
    "artifacts-contract": "src/artifacts/contract.ts",
    "artifacts-store-author": "src/artifacts/store-author.ts",
    "artifacts-s3": "src/artifacts/s3/index.ts",
    tools: "src/tools/index.ts",
    agent: "src/agent/index.ts",
    "agent-contract": "src/agent/contract.ts",
    "agent-postgres": "src/agent/postgres/index.ts",
    mcp: "src/integrations/mcp.ts",
    messages: "src/integrations/frameworks/messages.ts",
    "ai-sdk": "src/integrations/frameworks/ai-sdk.ts",
    "openai-agents": "src/integrations/frameworks/openai-agents.ts",
    langchain: "src/integrations/frameworks/langchain.ts",
    mastra: "src/integrations/frameworks/mastra.ts",
    "claude-agent-sdk": "src/integrations/frameworks/claude-agent-sdk.ts",
    adk: "src/integrations/frameworks/adk.ts",
    strands: "src/integrations/frameworks/strands.ts",
    cli: "src/cli/start.ts",
    "spool-worker": "src/integrations/mcp-proxy/spool/spool-worker.ts",
    "preview-worker": "src/integrations/mcp-proxy/spool/preview-worker.ts",
    "tag-worker": "src/tools/repo-map/tag-worker.ts",
    "html-worker": "src/tools/web/html-worker.ts",
    "query-worker": "src/artifacts/query/query-worker.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: true,
  clean: true,
  hash: false,
  // What a user need not see comes along, in files that load only when they are needed; why is in docs/internal/decisions.
  deps: {
    neverBundle: ["zod", "postgres", "@vscode/ripgrep", "node-sqlite3-wasm"],
    // The AI SDK imports it whether or not traces are wanted; a peer that is optional may be absent.
    alwaysBundle: ["@opentelemetry/api"],
    onlyBundle: false,
  },
  // Its main file asks for its parts in a way that cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  inputOptions: { checks: { pluginTimings: false, eval: false } },
  plugins: [
    asciiOnly(/^shared-(?:measure|preview-core)\.mjs$/),
    thirdPartyLicenses(["@vscode/tree-sitter-wasm", "web-tree-sitter", "preact", "uplot"]),
  ],
  hooks: { "build:done": ({ options }) => packGrammars(path.join(options.outDir, "grammars")) },
  // Few files, so that the command line starts fast, and apart what an output within limits does not need; `measure` and
  // `preview-core` must not load node's modules.
  // The groups hold code only (type declarations, `.d.ts`, fall apart inside one), and no shared file takes an entry's name.
  // Doc comments are in the declarations.
  outputOptions: {
    comments: { jsdoc: false },
    chunkFileNames: "shared-[name].mjs",
    codeSplitting: {
      groups: [
        { name: "commander", test: /node_modules\/commander\// },
        { name: "measure", test: MEASURE },
        { name: "preview-core", test: PREVIEW },
        { name: "telemetry", test: /src\/telemetry\/(telemetry|metric-sinks|environment-context)\.ts$/ },
        { name: "protocol-core", test: /src\/protocol\/(outcome|builder|error-code|from-legacy|tool-failure)\.ts$/ },
        {
          name: "gate-core",
          test: /src\/(artifacts\/(path-below|memory-store)|(limits|gate)\/(?!exec|index|parse-yaml|observation-fields|items(?!\/measure))).*(?<!\.d\.ts)$/,
        },
        { name: "process-core", test: /src\/process\/(?!worker-file)[a-z-]+\.ts$/ },
        { name: "terminal", test: /src\/cli\/terminal\.ts$/ },
        { name: "run-core", test: /src\/cli\/(run|pipe|emit|open-gate|options|progress)\.ts$/ },
        { name: "store-core", test: STORE },
      ],
    },
  },
});

/** What Node loads when a preview first needs it. */
const LATE = {
  "src/preview/smart/smart-accumulator.ts": { file: "./late-smart.cjs", functions: ["createSmartAccumulator"] },
  "src/preview/smart/log/languages/classify-language.ts": {
    file: "./late-languages.cjs",
    functions: ["classifyLanguage", "findTrouble"],
  },
  "src/preview/smart/json/create-json-analyzer.ts": { file: "./late-json.cjs", functions: ["createJsonAnalyzer"] },
  "src/preview/smart/other-shapes.ts": { file: "./late-shapes.cjs", functions: ["createOtherAnalyzer"] },
  "src/preview/engine/create-text-analyzer.ts": { file: "./late-engine.cjs", functions: ["createTextAnalyzer"] },
  "src/preview/tokens/estimate-tokens.ts": { file: "./late-tokens.cjs", functions: ["estimateTokens"] },
};

/** What the builds besides that of the modules have in common; they go into its folder. */
const BESIDE: UserConfig = {
  platform: "node",
  target: "node20",
  dts: false,
  clean: false,
  hash: false,
  deps: { neverBundle: ["zod", "postgres", "@vscode/ripgrep", "node-sqlite3-wasm"], onlyBundle: false },
  inputOptions: { checks: { pluginTimings: false, eval: false } },
};

/** `spillway/preview` as Node gets it: with its larger parts loaded when they are first needed. */
export const previewForNode = defineConfig({
  ...BESIDE,
  entry: { "preview-node": "src/preview/index.ts" },
  format: "esm",
  plugins: [lateParts("esm", LATE), asciiOnly()],
  outputOptions: { comments: { jsdoc: false } },
});

/** The thread of every large artifact, in one small script, which starts in two thirds of the time that modules with all of a store take. */
export const digestWorker = defineConfig({
  ...BESIDE,
  entry: { "digest-worker": "src/artifacts/local/digest-worker.ts" },
  format: "cjs",
  outputOptions: { comments: { jsdoc: false } },
});

/**
 * The frequent commands once more, in a form whose compiled code can be kept (`src/cli/compiled-loader.ts`), and the parts
 * of previews that are loaded late.
 */
export const frequent = defineConfig({
  ...BESIDE,
  entry: {
    frequent: "src/cli/frequent-commands.ts",
    "late-smart": "src/preview/smart/smart-accumulator.ts",
    "late-languages": "src/preview/smart/log/languages/classify-language.ts",
    "late-json": "src/preview/smart/json/create-json-analyzer.ts",
    "late-shapes": "src/preview/smart/other-shapes.ts",
    "late-engine": "src/preview/engine/create-text-analyzer.ts",
    "late-tokens": "src/preview/tokens/estimate-tokens.ts",
  },
  format: "cjs",
  plugins: [lateParts("cjs", LATE), asciiOnly(), fromModules({ "src/preview/tokenizer.ts": "./tokenizer.mjs" })],
  outputOptions: {
    comments: { jsdoc: false },
    chunkFileNames: "frequent-[name].cjs",
    codeSplitting: {
      groups: [
        { name: "measure", test: (id: string) => COUNTED.test(id) || POSITIONS.test(id) },
        {
          name: "core",
          test: (id: string) =>
            /node_modules\/commander\/|src\/(errors|protocol|limits\/(?!parse-yaml)|process|cli\/(?!preview|shell)|version|gate\/(?!items)|artifacts\/(cleanup-once|path-below))/.test(
              id,
            ),
        },
        { name: "store", test: STORE },
        { name: "ends", test: ENDS },
        // What the parts of smart previews share, and apart from it what only source needs, to be known and to be shown.
        { name: "shaped", test: SHAPED },
        {
          name: "reading",
          test: (id: string) => PREVIEW.test(id) && !SOURCE.test(id) && !SHAPED.test(id),
          minShareCount: 2,
        },
        { name: "source", test: SOURCE },
      ],
    },
  },
});

export default [modules, previewForNode, digestWorker, frequent];
