import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Agent, merge, put } from "./agent.ts";
import { installedVersion, NODE_MODULES } from "./installed.ts";

export const opencode: Agent = {
  host: "opencode",
  title: "opencode",
  package: "opencode-ai",
  program: "opencode",
  config: { file: ".config/opencode/plugin/mine.js", text: "// mine\r\nexport const Mine = async () => ({})" },
  keepsOutput: true,
  rules: ["deny", "allow", "ask"],
  configure: ({ home, url }, restricted) => {
    const bash = { "*": "ask", "echo *": "allow", "npm test*": "deny" };
    const rules = { bash, logs_read_log: "deny" };
    put(home, ".config/opencode/opencode.json", config(url, restricted ? rules : "allow"));
    preinstall(home);
  },
  start: (_, prompt) => ({
    args: ["run", "--model", "scripted/model", prompt],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  }),
  delegate: (prompt) => ({
    tools: ["task"],
    input: () => ({ description: "Look it up", prompt, subagent_type: "general" }),
  }),
  shell: (command) => ({ tools: ["bash"], input: () => ({ command, description: "Run it" }) }),
  server: {
    by: "results",
    add: ({ home }, command) =>
      merge(home, ".config/opencode/opencode.json", { mcp: { logs: { type: "local", command, enabled: true } } }),
    tools: ["logs_read_log"],
  },
  read: (path, line) => ({ tools: ["read"], input: () => ({ filePath: path, offset: line, limit: 5 }) }),
};

function config(url: string, permission: unknown): object {
  const model = { name: "model", limit: { context: 200_000, output: 8000 } };
  return {
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    permission,
    model: "scripted/model",
    small_model: "scripted/model",
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "scripted",
        options: { baseURL: `${url}/v1`, apiKey: "none" },
        models: { model },
      },
    },
  };
}

/** Before it loads a plugin, opencode installs its plugin API beside its configuration; without a network that takes a minute to fail. */
function preinstall(home: string): void {
  const folder = ".config/opencode";
  const dependencies = { "@opencode-ai/plugin": installedVersion("@opencode-ai/plugin") };
  put(home, `${folder}/package.json`, { dependencies });
  put(home, `${folder}/package-lock.json`, { lockfileVersion: 3, packages: { "": { dependencies } } });
  const scope = join(home, folder, "node_modules", "@opencode-ai");
  mkdirSync(scope, { recursive: true });
  symlinkSync(join(NODE_MODULES, "@opencode-ai", "plugin"), join(scope, "plugin"));
}
