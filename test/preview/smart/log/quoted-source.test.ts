import { expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

it("words of trouble in quoted source are no reports of it", () => {
  const findings = Array.from({ length: 200 }, (_, n) => {
    const grave = n === 90;
    return [
      `>> Issue: [B${100 + n}:rule] ${grave ? "Call with a shell identified." : "Empty handler."}`,
      `   Severity: ${grave ? "High" : "Low"}   Confidence: High`,
      `   Location: src/part${n}.py:${n}`,
      `${n}\t        except Exception as error:`,
      `${n + 1}\t            # failed, try again`,
      "",
    ].join("\n");
  }).join("\n");
  const { text } = preview(findings, { strategy: "smart", maxChars: 1500 });
  expect(text).toContain("Call with a shell identified.");
  expect(text).toContain("Severity: High");
  expect(text.match(/except Exception/g)?.length ?? 0).toBeLessThan(8);
});

it("a numbered log still tells of its errors", () => {
  const log = Array.from(
    { length: 900 },
    (_, n) => `${n}\t${n === 400 ? "connection refused by 10.0.0.7" : "served"}\n`,
  );
  expect(preview(log.join(""), { strategy: "smart", maxChars: 1000 }).text).toContain("connection refused");
});
