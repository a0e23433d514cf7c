import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const TROUBLE = [
  "      Reason:       CrashLoopBackOff",
  "      Exit Code:    137",
  "    Restart Count:  14",
  "  Warning  BackOff    2m (x200 over 60m)   kubelet  Back-off restarting failed container",
];

function pod(n: number): string {
  const ill = n === 13;
  return [
    `Name:             shop-${n}`,
    "Namespace:        prod",
    `Node:             node-${n % 4}/10.1.0.${n}`,
    `Labels:           app=shop-${n}`,
    "Status:           Running",
    "Containers:",
    ...Array.from({ length: 6 }, (_, k) => `    Environment_${k}:  value-${n}-${k}`),
    `    State:          ${ill ? "Waiting" : "Running"}`,
    ...(ill ? TROUBLE.slice(0, 2) : []),
    `    Ready:          ${ill ? "False" : "True"}`,
    ill ? (TROUBLE[2] ?? "") : "    Restart Count:  0",
    "Events:",
    "  Type     Reason     Age   From     Message",
    ill ? (TROUBLE[3] ?? "") : "  Normal   Pulled     60m   kubelet  Container image is present",
    "",
    "",
  ].join("\n");
}

const description = Array.from({ length: 40 }, (_, n) => pod(n)).join("\n");

describe("descriptions of objects of a cluster", () => {
  it("tell what is not as it should be, and name every object", () => {
    const { text, shape } = preview(description, { strategy: "smart", maxBytes: 4096 });
    expect(shape).toBe("outline");
    expect(text).toMatch(/^\[outline: [\d,]+ lines, \d+ parts\]/);
    for (const line of TROUBLE) expect(text).toContain(line);
    for (const n of [0, 13, 39]) expect(text).toContain(`Name:             shop-${n}`);
  });

  it("show whole the object that is asked for", () => {
    const { text } = preview(description, { strategy: "smart", maxBytes: 4096, query: "environment of shop-27" });
    expect(text).toContain("    Environment_5:  value-27-5");
  });
});
