import { appendFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSession } from "../../src/agent/session.ts";
import { temporaryFolder } from "../support/folder.ts";
import { mkfifoSync } from "../support/mkfifo.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("sessions");
const sessions = (...args: string[]) => spillway(["sessions", ...args, "--root", root]);

describe("a damaged session", () => {
  it("is named with its file, its line and what is wrong, by list, show and resume; repair says what it dropped", async () => {
    const session = createSession(root, { model: "openai/test", depth: 0 });
    session.append({ type: "user", text: "why?" });
    session.close();
    appendFileSync(session.path, '{"v":1,"seq":9,"at":"x","type":"user","text":"later"}\n');
    const said = `ine 3 of ${session.path} has seq 9 where 3 has to follow`;
    const list = await sessions("list");
    expect(list).toMatchObject({ exitCode: 0, out: `${session.id}  damaged  l${said}\n` });
    for (const command of [
      ["show", session.id],
      ["show", "latest"],
      ["resume", session.id, "--model", "openai/x"],
    ]) {
      const refused = await sessions(...command);
      expect(refused).toMatchObject({ exitCode: 1, out: "" });
      expect(refused.err).toBe(`spillway: L${said}. "spillway sessions repair" keeps the lines before it.\n`);
    }
    const repaired = await sessions("repair", session.id);
    expect(repaired.out).toMatch(
      new RegExp(
        `^${session.id}: line 3 has seq 9 where 3 has to follow; 2 events kept, 54 bytes dropped to .*dropped-1\\.jsonl\\.\\n$`,
      ),
    );
    expect((await sessions("show", session.id)).out).toContain("> why?");
    expect((await sessions("repair", session.id)).out).toBe(
      `${session.id} is whole: 2 events kept, nothing dropped.\n`,
    );
  });

  it("does not hang as a named pipe", async () => {
    const session = createSession(root, { model: "openai/test", depth: 0 });
    session.close();
    rmSync(session.path);
    mkfifoSync(session.path);
    expect((await sessions("list")).out).toContain(`${session.id}  damaged  ${session.path} is not a regular file\n`);
    for (const command of ["show", "repair"])
      expect(await sessions(command, session.id)).toMatchObject({
        exitCode: 1,
        err: `spillway: ${session.path} is not a regular file.\n`,
      });
  });
});
