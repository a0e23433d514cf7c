import { defineConfig } from "vitepress";

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2a7f5f" d="M1 2h6v4l7 8H1z"/></svg>';

/** On a phone, a name in a table stays in one piece; a table that is too wide for that scrolls by itself. */
const NARROW =
  "@media (max-width: 640px) { .VPDoc .vp-doc :is(th, td) { padding: 6px 8px; } .VPDoc .vp-doc td code { overflow-wrap: break-word; } }";

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
    ["Embedding", "embedding"],
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

/** Keeps braces in a page from being read as a template of Vue's. Other delimiters would break the theme, which has templates. */
function withoutTemplates({ renderer: { rules } }) {
  for (const rule of ["text", "code_inline"]) {
    const render = rules[rule];
    rules[rule] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
  }
}

/** The pages of docs/ as a site that needs no server and no other address; a dead link ends the build. */
export default defineConfig({
  title: "Spillway",
  description: "Tool results small enough for the model, no byte lost.",
  // Without one, a browser asks for /favicon.ico and reports that it is missing.
  head: [
    ["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }],
    ["style", {}, NARROW],
  ],
  srcDir: "../docs",
  srcExclude: ["internal/**"],
  outDir: "dist",
  cacheDir: ".vitepress/cache",
  rewrites: { "README.md": "index.md" },
  markdown: {
    config: (markdown) => {
      withoutLinksOut(markdown);
      withoutTemplates(markdown);
    },
  },
  themeConfig: {
    search: { provider: "local" },
    sidebar: Object.entries(PAGES).map(([text, pages]) => ({
      text,
      items: pages.map(([title, page]) => ({ text: title, link: `/${page}` })),
    })),
  },
});
