import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import { readConfiguration, toolParameters } from "../../src/limits/configuration.ts";
import { USER_KEYS } from "../../src/limits/project-config.ts";
import { trustFolder, userConfigFolder } from "../../src/limits/trusted-folders.ts";
import { temporaryFolder } from "../support/folder.ts";

let root: string;
beforeEach(() => {
  root = temporaryFolder("configuration");
  vi.stubEnv("XDG_CONFIG_HOME", temporaryFolder("configuration-home"));
  return () => vi.unstubAllEnvs();
});

const project = (yaml: string) => writeFileSync(join(root, "spillway.yaml"), yaml);
const user = (yaml: string) => {
  mkdirSync(userConfigFolder(), { recursive: true });
  writeFileSync(join(userConfigFolder(), "config.yaml"), yaml);
};

const FOREIGN = `
tool_output_limits:
  default: { max_lines: 7, strategy: tail }
  tools: { Bash: { max_lines: 9, timeout_ms: 5, cwd: /tmp, env: { LD_PRELOAD: x } } }
summarization: { enabled: true, model: openai/cheap }
artifacts: { dir: ../elsewhere, retention_days: 3, quota_bytes: 200MB }
redact: false
env: { allow: [OPENAI_API_KEY] }
`;

describe("the file of a project that nobody trusted", () => {
  it("sets limits, strategies, retention and summaries, and nothing more", async () => {
    project(FOREIGN);
    const configuration = await readConfiguration(root);
    expect(configuration).toMatchObject({
      retentionDays: 3,
      quotaBytes: 200 * 1024 ** 2,
      summarization: { enabled: true, model: "openai/cheap", ownProviderOnly: true },
    });
    expect(configuration.dir).toBeUndefined();
    expect(configuration.redact).toBeUndefined();
    expect(configuration.env).toBeUndefined();
    expect(configuration.files[0]?.default).toEqual({ maxLines: 7, strategy: "tail" });
    expect(toolParameters(configuration, ["Bash"])).toEqual({ timeout_ms: 5 });
    expect(configuration.ignored.map(({ key }) => key)).toEqual([
      "env",
      "tool_output_limits.tools.Bash.cwd",
      "tool_output_limits.tools.Bash.env",
      "artifacts.dir",
      "summarization.model",
      "redact",
    ]);
  });

  it.each(Object.keys(USER_KEYS))("cannot set %s, whatever it says there", async (key) => {
    project(`${key}: [whatever, 5]`);
    const configuration = await readConfiguration(root);
    expect(configuration).not.toHaveProperty(key);
    expect(configuration.ignored).toEqual([expect.objectContaining({ key, file: join(root, "spillway.yaml") })]);
  });

  it.each([
    ["retention_days: 0.01", "retention_days: 1"],
    ["quota_bytes: 99MB", "quota_bytes: 100MB"],
    ["quota_bytes: 1", "quota_bytes: 104857600"],
  ])("cannot have outputs removed at once: artifacts.%s", async (tooLittle, enough) => {
    const [key] = tooLittle.split(":");
    project(`artifacts: { ${tooLittle} }`);
    const refused = await readConfiguration(root);
    expect(refused.ignored).toEqual([expect.objectContaining({ key: `artifacts.${key}` })]);
    expect([refused.retentionDays, refused.quotaBytes]).toEqual([undefined, undefined]);
    project(`artifacts: { ${enough} }`);
    expect((await readConfiguration(root)).ignored).toEqual([]);
    project("");
    user(`artifacts: { ${tooLittle} }`);
    expect((await readConfiguration(root)).ignored).toEqual([]);
  });

  it.each(["store: s3://theirs", "endpoint: http://127.0.0.1:1", "region: r", "tags: { a: b }"])(
    "cannot say where outputs are sent: artifacts.%s",
    async (setting) => {
      project(`artifacts: { ${setting}, retention_days: 3 }`);
      const configuration = await readConfiguration(root);
      expect(configuration.store).toBeUndefined();
      expect(configuration.retentionDays).toBe(3);
      const key = `artifacts.${setting.split(":")[0]}`;
      expect(configuration.ignored).toEqual([expect.objectContaining({ key })]);
      user(`artifacts: { store: s3://mine/agents, endpoint: "http://127.0.0.1:1" }`);
      const { store } = await readConfiguration(root);
      expect(store).toMatchObject({ uri: "s3://mine/agents", endpoint: "http://127.0.0.1:1" });
    },
  );

  it.each(["/tmp", "..", "a/../../b", "linked/below", "linked"])("cannot keep outputs in %s", async (dir) => {
    symlinkSync(temporaryFolder("outside"), join(root, "linked"));
    project(`artifacts: { dir: ${dir} }`);
    const configuration = await readConfiguration(root);
    expect(configuration.dir).toBeUndefined();
    expect(configuration.ignored[0]?.reason).toContain("outside the root");
  });

  it("may name a folder below the root, and ask for redaction", async () => {
    project("artifacts: { dir: kept/..here }\nredact: true");
    const configuration = await readConfiguration(root);
    expect(configuration).toMatchObject({
      dir: "kept/..here",
      ignored: [],
      redact: { patterns: [], environment: true },
    });
  });

  it("cannot make exceptions from redaction that the user wants, nor bring patterns that never end", async () => {
    user("redact: { patterns: { ticket: 'T-[0-9]+' } }");
    project("redact: { allow: ['/./'], patterns: { slow: '(a+)+$' }, environment: false }");
    const { redact, ignored } = await readConfiguration(root);
    expect(redact).toMatchObject({ patterns: [{ kind: "ticket" }], allow: [], environment: true });
    expect(ignored.map(({ key }) => key)).toEqual(["redact.allow", "redact.patterns", "redact.environment"]);
    project("redact: false");
    const governed = await createSpillway({ root }).govern("see T-1234 there");
    expect(governed).toMatchObject({ text: "see [redacted:ticket#1] there" });
  });

  it("is believed once its folder is trusted, as long as it stays the same", async () => {
    project(FOREIGN);
    trustFolder(root, Buffer.from(FOREIGN));
    expect(await readConfiguration(root)).toMatchObject({
      dir: "../elsewhere",
      redact: false,
      env: { allow: ["OPENAI_API_KEY"], deny: [] },
      ignored: [],
      changedSinceTrusted: false,
    });
    project(`${FOREIGN}# pulled`);
    const changed = await readConfiguration(root);
    expect(changed.changedSinceTrusted).toBe(true);
    expect(changed.ignored).toHaveLength(6);
  });
});

describe("the user's own file", () => {
  it("may set everything, and stands behind the project's where both say something", async () => {
    user(FOREIGN);
    project("artifacts: { retention_days: 1 }");
    expect(await readConfiguration(root)).toMatchObject({
      files: [{ from: "project" }, { from: "user", trusted: true }],
      dir: "../elsewhere",
      retentionDays: 1,
      redact: false,
      summarization: { enabled: true, ownProviderOnly: false },
      env: { allow: ["OPENAI_API_KEY"] },
      ignored: [],
    });
  });

  it("also stands behind a file that was named, which is believed", async () => {
    user("env: { deny: [A] }\nartifacts: { retention_days: 9 }");
    writeFileSync(join(root, "mine.yaml"), "artifacts: { dir: /elsewhere }");
    project("artifacts: { retention_days: 1 }");
    const configuration = await readConfiguration(root, "mine.yaml");
    expect(configuration).toMatchObject({ dir: "/elsewhere", retentionDays: 9, env: { deny: ["A"] }, ignored: [] });
  });
});
