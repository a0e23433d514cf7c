import path from "node:path";
import { defineConfig } from "tsdown";
import { packGrammars } from "./build/grammars.ts";
import { thirdPartyLicenses } from "./build/third-party-licenses.ts";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    preview: "src/preview/index.ts",
    tokenizer: "src/preview/tokenizer.ts",
    protocol: "src/protocol/index.ts",
    artifacts: "src/artifacts/index.ts",
    "artifacts-contract": "src/artifacts/contract.ts",
    tools: "src/tools/index.ts",
    agent: "src/agent/index.ts",
    mcp: "src/integrations/mcp.ts",
    cli: "src/cli/main.ts",
    "spool-worker": "src/integrations/mcp-proxy/spool/spool-worker.ts",
    "preview-worker": "src/integrations/mcp-proxy/spool/preview-worker.ts",
    "tag-worker": "src/tools/repo-map/tag-worker.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: true,
  clean: true,
  hash: false,
  // What a user need not see comes along, in files that load only when they are needed; why is in docs/decisions.
  deps: {
    neverBundle: ["zod", "@vscode/ripgrep"],
    onlyBundle: false,
  },
  inputOptions: { checks: { pluginTimings: false, eval: false } },
  plugins: [thirdPartyLicenses(["@vscode/tree-sitter-wasm", "web-tree-sitter"])],
  hooks: { "build:done": ({ options }) => packGrammars(path.join(options.outDir, "grammars")) },
  // Few files, so that the command line starts fast, and apart what an output within limits does not need; `measure` and
  // `preview-core` must not load node's modules.
  // The groups hold code only (type declarations, `.d.ts`, fall apart inside one), and no shared file takes an entry's name.
  outputOptions: {
    chunkFileNames: "shared-[name].mjs",
    codeSplitting: {
      groups: [
        { name: "commander", test: /node_modules\/commander\// },
        {
          name: "measure",
          test: /src\/(errors|limits\/(check|defaults|presets|types)|preview\/(measure|unit-counter|ascii-scan|edge-counter|window|omission|raw-lines|tokens\/rough-tokens|webassembly))\.ts$/,
        },
        { name: "preview-core", test: /src\/preview\/(?!tokenizer|index).*(?<!\.d\.ts)$/ },
        {
          name: "gate-core",
          test: /src\/(protocol\/outcome|(limits|gate)\/(?!observation|permissions|index)).*(?<!\.d\.ts)$/,
        },
        { name: "process-core", test: /src\/process\/[a-z-]+\.ts$/ },
        { name: "run-core", test: /src\/cli\/(run|pipe|emit|open-gate|options|progress)\.ts$/ },
        { name: "store-core", test: /src\/artifacts\/(?!index|contract|search|memory|cleanup-once).*(?<!\.d\.ts)$/ },
      ],
    },
  },
});
