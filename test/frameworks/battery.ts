import { describe, expect, it } from "vitest";
import type { Spillway } from "../../src/index.ts";
import type { SeenResult } from "../hosts/model/protocol.ts";
import * as cases from "./cases.ts";
import { NOT_ALLOWED } from "./not-allowed.ts";
import { type ScriptedModel, startScript, type Turn } from "./scripted-model.ts";

/** What a framework is asked to run. */
export interface AgentRun {
  readonly model: ScriptedModel;
  readonly spillway: Spillway;
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** Called by the tool `waiting`, which then waits for the signal. */
  readonly onWait: () => void;
}

export interface Framework {
  readonly name: string;
  /** Runs an agent whose tools are log, small, broken, picture, streaming and waiting until the model says "done". */
  run(run: AgentRun): Promise<void>;
  /** True when a result that failed is marked so in the request. */
  readonly marksFailures?: boolean;
  /** What the model is told of an error by the framework itself, where the message does not reach it. */
  readonly swallowsErrors?: RegExp;
  /** Bytes that the framework itself puts around a result. */
  readonly frame?: number;
  /** How names of tools look to the model. */
  readonly toolName?: (name: string) => string;
}

/** The cases that every framework has to stand. */
export function describeFramework(framework: Framework): void {
  const { name, toolName = (tool) => tool, frame = 0 } = framework;
  const notAllowed = NOT_ALLOWED[name]!;
  const question = notAllowed.question === undefined;
  const expectBounded = (seen: SeenResult | undefined) =>
    cases.expectBounded(seen!, { question, mostBytes: cases.MAX_BYTES + frame });

  async function run(turns: readonly Turn[], onWait: (abort: AbortController) => void = () => {}) {
    const gate = cases.testGate(name.replaceAll(/\W+/g, "-"));
    const named = turns.map(
      (turn): Turn =>
        (seen) =>
          turn(seen).map(({ tool, input }) => ({ tool: toolName(tool), input })),
    );
    const model = await startScript(named);
    const abort = new AbortController();
    try {
      await framework.run({
        model,
        spillway: gate.spillway,
        prompt: cases.QUESTION,
        signal: abort.signal,
        onWait: () => onWait(abort),
      });
    } finally {
      model.close();
    }
    cases.expectSmallRequests(model.requests, 120_000);
    return { model, gate };
  }

  describe(name, () => {
    it("bounds a log of 3 MB, saves it exactly, and the model reads on in it", async () => {
      const { model, gate } = await run([cases.call("log"), cases.readBack]);
      expectBounded(model.seen()[0]);
      cases.expectRead(model.seen()[1]!);
      expect(gate.saved()).toEqual(["log"]);
    });

    it("leaves small results alone, and sends the same text in every step", async () => {
      const { model, gate } = await run([cases.call("log"), cases.call("small"), cases.call("small")]);
      const texts = model.history.flatMap(([first]) => first?.text ?? []);
      expect(texts.length).toBe(3);
      expect(new Set(texts).size).toBe(1);
      expect(model.seen()[1]!.text).toContain("all is well");
      expect(gate.saved()).toEqual(["log"]);
    });

    it("bounds the message of an error", async () => {
      if (framework.swallowsErrors !== undefined) {
        const { model } = await run([cases.call("broken")]);
        expect(model.seen()[0]!.text).toMatch(framework.swallowsErrors);
        return;
      }
      const { model, gate } = await run([cases.call("broken"), cases.readBack]);
      expectBounded(model.seen()[0]);
      expect(model.seen()[0]!.text).toContain("The tool call failed");
      if (framework.marksFailures === true) expect(model.seen()[0]!.failed).toBe(true);
      expect(gate.saved()).toEqual(["failure"]);
      expect(model.seen()[1]!.text).toContain("used up");
    });

    it("keeps parallel calls apart", async () => {
      const both: Turn = () => ["log", "small", "log"].map((tool) => ({ tool, input: {} }));
      const { model, gate } = await run([both]);
      const small = model.seen().filter(({ text }) => text.includes("all is well"));
      const logs = model.seen().filter((seen) => !small.includes(seen));
      expect(
        [small.length, logs.length],
        model
          .seen()
          .map(({ text }) => text.slice(0, 100))
          .join("\n"),
      ).toEqual([1, 2]);
      for (const log of logs) expectBounded(log);
      expect(logs[0]!.text).not.toBe(logs[1]!.text);
      expect(gate.saved()).toEqual(["log", "log"]);
    });

    it("keeps an image, and bounds the text beside it", async () => {
      const { model, gate } = await run([cases.call("picture")]);
      expect(model.requests.at(-1)!.includes(cases.PNG)).toBe(true);
      expectBounded({ ...model.seen()[0]!, text: model.seen()[0]!.text.replaceAll(cases.PNG, "") });
      expect(gate.saved()).toEqual(["log"]);
    });

    it.skipIf(notAllowed.streaming !== undefined)("bounds what a streaming tool gives in the end", async () => {
      const { model, gate } = await run([cases.call("streaming")]);
      expectBounded(model.seen()[0]);
      expect(gate.saved()).toEqual(["log"]);
    });

    it("lets an aborted call end", async () => {
      let aborted = false;
      const ended = run([cases.call("waiting")], (abort) => {
        aborted = true;
        abort.abort();
      });
      await ended.catch((error: Error) => expect(String(error)).toMatch(/abort|cancel/i));
      expect(aborted).toBe(true);
    });
  });
}
