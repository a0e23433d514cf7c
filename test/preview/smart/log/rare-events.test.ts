import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const SERVICES = ["sshd[%p]: session opened for user news by (uid=0)", "cron[%p]: (root) CMD (run-parts /etc/hourly)"];
const HDFS = [
  "INFO dfs.DataNode: Receiving block blk_%p src: /10.0.0.%n",
  "INFO dfs.Server: Served block blk_%p to /10.0.0.%n",
];

function log(stamp: (index: number) => string, kinds: readonly string[], rare: readonly string[], rows = 3000): string {
  const step = Math.floor(rows / (rare.length + 1));
  return Array.from({ length: rows }, (_, index) => {
    const line = rare[index / step - 1] ?? kinds[(index * 7 + (index >> 3)) % kinds.length] ?? "";
    return stamp(index) + line.replaceAll("%p", String(7919 * (index + 1))).replaceAll("%n", String(index % 250));
  }).join("\n");
}

const pad = (value: number): string => String(value % 60).padStart(2, "0");
const bsd = (index: number): string => `Jun ${10 + (index % 20)} 04:${pad(index)}:${pad(index * 7)} combo `;
const compact = (index: number): string => `0811${pad(index)} 2015${pad(index)} ${index} `;
const iso = (index: number): string => `2026-03-01T10:${pad(index)}:${pad(index)}.123Z `;

describe("rare events of a log", () => {
  it.each([
    [
      "a system log",
      bsd,
      SERVICES,
      ["gpm[2094]: imps2: Auto-detected intellimouse PS/2", "-- root[2421]: ROOT LOGIN ON tty2"],
    ],
    [
      "a service's log",
      compact,
      HDFS,
      ["INFO dfs.FSNamesystem: BLOCK* ask 10.0.0.9:50010 to replicate blk_77 to datanode(s) 10.0.0.8"],
    ],
    [
      "a log with times in ISO form",
      iso,
      HDFS,
      ["INFO dfs.Balancer: moving to standby", "INFO dfs.Leader: elected node-7"],
    ],
  ] as const)("shows in %s what came once and says nothing of trouble", (_, stamp, kinds, rare) => {
    const text = log(stamp, kinds, rare);
    for (const maxBytes of [8000, 4096]) {
      const shown = preview(text, { strategy: "smart", maxBytes });
      for (const line of rare) expect(shown.text).toContain(line);
      expect(shown.blocks.some(({ reason }) => reason === "rare event")).toBe(true);
    }
  });

  it("calls nothing rare where every row is of a kind of its own", () => {
    const words = Array.from(
      { length: 3000 },
      (_, index) => `${String.fromCharCode(97 + (index % 26))}${(index * 37).toString(26)}x`,
    );
    const text = words
      .map((word, index) => `${iso(index)}${word.replace(/\d/g, "q")} ${"went on ".repeat(index % 5)}as planned`)
      .join("\n");
    const shown = preview(text, { strategy: "smart", maxBytes: 8000 });
    expect(shown.blocks.filter(({ reason }) => reason === "rare event")).toEqual([]);
  });
});
