import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { createItemAnalyzer } from "../../../../src/preview/smart/items/item-analyzer.ts";
import { PlanGrammar } from "../../../../src/preview/smart/plan/plan-grammar.ts";
import { checkLaws } from "../shape-laws.ts";

const SIGNS: Readonly<Record<string, string>> = { created: "+", destroyed: "-", "updated in-place": "~" };

function resource(n: number, action: string, changed: readonly string[] = []): string {
  const verb = action === "replaced" ? "must be replaced" : `will be ${action}`;
  const sign = SIGNS[action] ?? "-/+";
  const attributes = Array.from({ length: 14 }, (_, k) => `      ${sign.slice(-1)} attribute_${k} = "value-${n}-${k}"`);
  return [
    `  # module.shop.aws_instance.web_${n} ${verb}`,
    `${sign.padStart(3)} resource "aws_instance" "web_${n}" {`,
    ...(action === "updated in-place" || action === "replaced" ? changed : attributes),
    "        # (12 unchanged attributes hidden)",
    "    }",
    "",
  ].join("\n");
}

const resources = Array.from({ length: 60 }, (_, n) => {
  if (n === 17) return resource(n, "updated in-place", ['      ~ instance_type = "t3.small" -> "t3.large"']);
  if (n === 31) return resource(n, "replaced", ['      ~ ami = "ami-1" -> "ami-2" # forces replacement']);
  return resource(n, n === 44 || n === 52 ? "destroyed" : "created");
});

const plan = [
  ...Array.from({ length: 100 }, (_, n) => `module.shop.aws_instance.web_${n}: Refreshing state... [id=i-${n}]`),
  "",
  "Terraform used the selected providers to generate the following execution plan.",
  "",
  "Terraform will perform the following actions:",
  "",
  ...resources,
  "Plan: 57 to add, 1 to change, 3 to destroy.",
  "",
  "Warning: Argument is deprecated",
  "",
].join("\n");

describe("a plan of changes to resources", () => {
  it("tells what ends, is replaced or changed before what begins, and the totals", () => {
    for (const maxBytes of [8000, 3000]) {
      const { text, shape } = preview(plan, { strategy: "smart", maxBytes });
      expect(shape).toBe("plan");
      expect(text).toMatch(/^\[plan: 56 created, 1 updated, 1 replaced, 2 destroyed; [\d,]+ lines\]/);
      for (const n of [44, 52]) expect(text).toContain(`# module.shop.aws_instance.web_${n} will be destroyed`);
      expect(text).toContain("# module.shop.aws_instance.web_31 must be replaced");
      expect(text).toContain('~ ami = "ami-1" -> "ami-2" # forces replacement');
      expect(text).toContain('~ instance_type = "t3.small" -> "t3.large"');
      expect(text).toContain("Plan: 57 to add, 1 to change, 3 to destroy.");
      expect(text).toContain("Warning: Argument is deprecated");
    }
  });

  it("shows whole the resource that is asked for", () => {
    const { text } = preview(plan, { strategy: "smart", maxBytes: 4096, query: "what becomes of aws_instance.web_8?" });
    expect(text).toContain('      + attribute_3 = "value-8-3"');
  });

  it("keeps the laws of every shape", () => {
    checkLaws(
      (options) => createItemAnalyzer(new PlanGrammar(), options),
      [
        "Terraform will perform the following actions:\n",
        "  # aws_instance.web will be created\n",
        '      ~ size = "é" -> "b" # forces replacement\n',
        "Plan: 1 to add, 0 to change, 0 to destroy.\n",
        "\n",
        "    }\n",
      ],
    );
  });
});
