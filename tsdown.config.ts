import { defineConfig } from "tsdown";

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
  },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: true,
  clean: true,
  hash: false,
});
