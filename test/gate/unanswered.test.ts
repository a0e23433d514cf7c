import { describe, expect, it } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { Query } from "../../src/query/query-context.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder("unanswered");
const output = Array.from({ length: 3000 }, (_, index) => `step ${index} finished within the limit`).join("\n");
const SAYS = "Nothing in it matches the question.";

async function noticeFor(query: Query, text = output, maxBytes = 4000): Promise<string> {
  const spillway = createSpillway({ root, env: {}, config: false });
  const governed = await spillway.govern(text, { tool: "Bash", query, maxBytes, strategy: "smart" });
  if (governed.kind !== "bounded") throw new Error("the output is over the limit");
  const shown = `${governed.preview.text}\n\n${governed.notice}`;
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(maxBytes);
  return governed.notice;
}

describe("the notice of an output that does not answer the question", () => {
  it("says so when nothing that the question names stands there", async () => {
    expect(await noticeFor("where is the retryBudget of the payment gateway?")).toContain(SAYS);
    expect(await noticeFor("支付回调在哪里处理？")).toContain(SAYS);
  });

  it("does not when a name stands there, even once or in part", async () => {
    expect(await noticeFor("what is the limit?")).not.toContain(SAYS);
    expect(await noticeFor("where is retryBudget?", `${output}\nbudget of retries: 3`)).not.toContain(SAYS);
  });

  it("does not when it asks what went wrong and something did", async () => {
    expect(await noticeFor("why did payments fail?", `${output}\nfailed: disk full`)).not.toContain(SAYS);
    expect(await noticeFor("why did payments fail?")).toContain(SAYS);
  });

  it("does not when the question names nothing", async () => {
    expect(await noticeFor("what went wrong?")).not.toContain(SAYS);
    expect(await noticeFor("")).not.toContain(SAYS);
  });

  it("does not when nothing but the command is known", async () => {
    const command = "node retryBudget.mjs payments";
    expect(await noticeFor({ command })).not.toContain(SAYS);
    expect(await noticeFor({ task: "where is the retryBudget of payments?", command })).toContain(SAYS);
  });

  it.each([
    "ls -R payments",
    "npm test",
    "cd payments && git diff retryBudget | head",
    "find . -name retryBudget.ts",
    "grep -rn retryBudget src",
    "retryBudget payment gateway",
    "Payments lose the gateway's retryBudget",
    "The gateway loses payments when its retryBudget is gone. Mend it.",
  ])("does not of %j, which is no question", async (query) => {
    expect(await noticeFor(query)).not.toContain(SAYS);
  });

  it.each(["find the retryBudget", "which gateway takes the payments", "is retryBudget set", "retryBudget?"])(
    "does of %j",
    async (query) => {
      expect(await noticeFor(query)).toContain(SAYS);
    },
  );

  it("does not where only the kind of output is named", async () => {
    for (const named of ["build or analyser output", "console log", "CI build and test log"])
      expect(await noticeFor(`Which problems does this ${named} report?`)).not.toContain(SAYS);
  });

  it("does not when it asks for a crash in other words than the output's", async () => {
    const panic = "panic: page fault in supervisor mode\nfatal page fault in supervisor mode\ntrap type 6 code 0";
    expect(await noticeFor("what is the kernel crash?", `${output}\n${panic}`)).not.toContain(SAYS);
    expect(await noticeFor("what is the kernel crash?")).toContain(SAYS);
  });

  it("is left out where there is no room for it", async () => {
    expect(await noticeFor("where is the retryBudget?", output, 300)).not.toContain(SAYS);
  });
});
