import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("environment");
const home = temporaryFolder("environment-home");
const SECRETS = {
  OPENAI_API_KEY: "key-1",
  ANTHROPIC_API_KEY: "key-2",
  OPENAI_COMPATIBLE_API_KEY: "key-3",
  SPILLWAY_TOKEN: "token-4",
  SPILLWAY_HEADERS: "X-Key: header-5",
  SPILLWAY_SESSIONS: "postgres://spillway:word-7@127.0.0.1:1/none",
};
const env = { ...SECRETS, XDG_CONFIG_HOME: home, HARMLESS: "yes", NPM_TOKEN: "npm-6" };

async function bash(command: string): Promise<string> {
  const { out } = await spillway(["tool", "Bash", JSON.stringify({ command })], { cwd: root, env });
  return JSON.parse(out).data.content as string;
}

describe("the environment of commands that a model asked for", () => {
  it("has what the user has, without Spillway's own keys", async () => {
    const variables = await bash("env");
    expect(variables).toContain("HARMLESS=yes");
    expect(variables).toContain("NPM_TOKEN=npm-6");
    for (const [name, value] of Object.entries(SECRETS)) {
      expect(variables).not.toContain(name);
      expect(variables).not.toContain(value);
    }
  });

  it("is what the user's own configuration allows and denies; a project's file has no say", async () => {
    writeFileSync(join(root, "spillway.yaml"), 'env: { allow: ["*"] }\n');
    expect(await bash("env")).not.toContain("OPENAI_API_KEY");
    mkdirSync(join(home, "spillway"));
    writeFileSync(join(home, "spillway", "config.yaml"), 'env: { allow: [OPENAI_API_KEY], deny: ["NPM_*"] }\n');
    const variables = await bash("env");
    expect(variables).toContain("OPENAI_API_KEY=key-1");
    expect(variables).not.toContain("ANTHROPIC_API_KEY");
    expect(variables).not.toContain("NPM_TOKEN");
  });
});

describe("the environment of a server behind the proxy", () => {
  it("has all that the user gave it, but no secret of Spillway's own", async () => {
    const seen = join(root, "seen");
    const server = `require("fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env))`;
    await spillway(["proxy", "--", process.execPath, "-e", server], { cwd: root, env });
    const variables = JSON.parse(readFileSync(seen, "utf8"));
    expect(variables).toMatchObject({ OPENAI_API_KEY: "key-1", HARMLESS: "yes" });
    expect(variables).not.toHaveProperty("SPILLWAY_TOKEN");
    expect(variables).not.toHaveProperty("SPILLWAY_HEADERS");
    expect(variables).not.toHaveProperty("SPILLWAY_SESSIONS");
  });
});
