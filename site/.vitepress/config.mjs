import { defineConfig } from "vitepress";

const PAGES = {
  "Getting started": [
    ["Getting started", "getting-started"],
    ["Questions and answers", "faq"],
    ["Compared with others", "compared"],
  ],
  Use: [
    ["Agents", "hosts"],
    ["MCP", "mcp"],
    ["Command line", "cli"],
    ["Inspector", "inspector"],
    ["Artifacts", "artifacts"],
    ["Limits and configuration", "limits"],
    ["Redaction", "redaction"],
    ["More than one machine", "scale"],
    ["Traces and metrics", "telemetry"],
    ["Security", "security"],
    ["Reliability", "reliability"],
  ],
  Frameworks: [
    ["All frameworks", "frameworks"],
    ["AI SDK", "frameworks/ai-sdk"],
    ["OpenAI Agents", "frameworks/openai-agents"],
    ["LangChain", "frameworks/langchain"],
    ["Mastra", "frameworks/mastra"],
    ["Claude Agent SDK", "frameworks/claude-agent-sdk"],
    ["Google ADK", "frameworks/adk"],
    ["Strands", "frameworks/strands"],
    ["Plain loops", "frameworks/messages"],
  ],
  Library: [
    ["The gate", "gate"],
    ["Previews", "previews"],
    ["Shapes", "previews-shapes"],
    ["Tools", "tools"],
    ["Agent", "agent"],
    ["Sessions", "sessions"],
    ["The tool response", "protocol"],
    ["API", "api"],
    ["Architecture", "architecture"],
  ],
};

/** Links that lead out of docs/ (examples, the README) have no place on the site: their words stay. */
function withoutLinksOut(markdown) {
  markdown.core.ruler.push("without-links-out", ({ env, tokens }) => {
    const depth = (env.relativePath ?? "").split("/").length - 1;
    for (const { children } of tokens) {
      let dropping = false;
      for (const token of children ?? []) {
        const href = token.type === "link_open" ? (token.attrGet("href") ?? "") : "";
        const up = href.split("/").filter((part) => part === "..").length;
        if (up > depth) dropping = true;
        if (!dropping || !token.type.startsWith("link_")) continue;
        if (token.type === "link_close") dropping = false;
        Object.assign(token, { type: "text", tag: "", nesting: 0, attrs: null, content: "" });
      }
    }
  });
}

/** The pages of docs/ as a site that needs no server and no other address; a dead link ends the build. */
export default defineConfig({
  title: "Spillway",
  description: "Tool results small enough for the model, no byte lost.",
  srcDir: "../docs",
  srcExclude: ["internal/**"],
  outDir: "dist",
  cacheDir: ".vitepress/cache",
  rewrites: { "README.md": "index.md" },
  // Nothing in the pages is a template.
  vue: { template: { compilerOptions: { delimiters: ["\u0000{", "}\u0000"] } } },
  markdown: { config: withoutLinksOut },
  themeConfig: {
    search: { provider: "local" },
    sidebar: Object.entries(PAGES).map(([text, pages]) => ({
      text,
      items: pages.map(([title, page]) => ({ text: title, link: `/${page}` })),
    })),
  },
});
