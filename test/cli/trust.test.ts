import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("trust");
const env = { XDG_CONFIG_HOME: temporaryFolder("trust-home") };
mkdirSync(join(root, "below"));
const write = (yaml: string) => writeFileSync(join(root, "spillway.yaml"), yaml);
const inProject = (...args: string[]) => spillway(args, { cwd: join(root, "below"), env });

describe("spillway trust", () => {
  it("lets a project's file set what was ignored, until the file changes", async () => {
    write("artifacts: { dir: ../out-of-here }\nenv: { deny: [A] }\n");
    const before = await inProject("config");
    expect(before.out).toMatch(/^ignored +env: only your own configuration may say this$/m);
    expect(before.out).toMatch(/^ignored +artifacts\.dir: "\.\.\/out-of-here" is outside the root$/m);
    expect(before.out).toContain("`spillway trust` takes it for your own.");
    expect(before.out).toMatch(/^dir +\.agents\/tool-output +built-in$/m);
    expect((await inProject("doctor")).out).toMatch(/^ok +ignored +artifacts\.dir: .*outside the root/m);

    const trusted = await inProject("trust");
    expect(trusted).toMatchObject({ exitCode: 0, err: "" });
    expect(trusted.out).toBe(
      `${join(root, "spillway.yaml")} is now trusted as it is. It may now also set env, artifacts.dir.\n`,
    );
    const after = JSON.parse((await inProject("config", "--json")).out);
    expect(after).toMatchObject({ ignored: [], values: { dir: { value: "../out-of-here", from: "file artifacts" } } });
    expect((await inProject("trust", "--list")).out).toBe(`${root}\n`);

    write("artifacts: { dir: ../another }\n");
    expect((await inProject("config")).out).toContain("It was changed since you trusted it.");
    expect((await inProject("trust", "--list")).out).toBe(`${root} (changed since then)\n`);
    expect((await inProject("trust", "--remove")).out).toBe(`${root} is no longer trusted.\n`);
    expect((await inProject("trust", "--list")).out).toBe("No folder is trusted.\n");
  });

  it("trusts no file that is not there, or makes no sense", async () => {
    const other = temporaryFolder("trust-none");
    const missing = await spillway(["trust", other], { env });
    expect(missing).toMatchObject({ exitCode: 2, out: "" });
    expect(missing.err).toBe(`spillway: There is no ${join(other, "spillway.yaml")} to trust.\n`);
    writeFileSync(join(other, "spillway.yaml"), "env: 5\n");
    const wrong = await spillway(["trust", other], { env });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.err).toContain("env must be a mapping of allow and deny");
    expect((await spillway(["trust", "--list"], { env })).out).toBe("No folder is trusted.\n");
  });

  it("leaves a named file alone: it is the caller's own", async () => {
    writeFileSync(join(root, "mine.yaml"), "artifacts: { dir: /nowhere }\n");
    const { out } = await inProject("config", "--json", "--config", join(root, "mine.yaml"));
    expect(JSON.parse(out)).toMatchObject({ ignored: [], values: { dir: { value: "/nowhere" } } });
  });
});
