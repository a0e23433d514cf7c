import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { createCsvAnalyzer } from "../../../../src/preview/smart/csv/create-csv-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

/** Rows under a header, each column as wide as its widest cell. */
function draw(header: readonly string[], rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((cells) => `${cells.map(pad).join("  ").trimEnd()}\n`).join("");
}

const podRows = Array.from({ length: 400 }, (_, n) => {
  const name = `web-${((n * 7919) % 9973).toString(36)}-${n}`;
  if (n === 133) return [name, "0/1", "CrashLoopBackOff", "117 (2m ago)", "3d"];
  if (n === 290) return [name, "0/1", "Pending", "0", "4m"];
  return [name, "1/1", "Running", "0", `${1 + (n % 80)}d`];
});
const pods = draw(["NAME", "READY", "STATUS", "RESTARTS", "AGE"], podRows);

describe("aligned tables", () => {
  it("show every share that is nearly used up", () => {
    const rows = Array.from({ length: 300 }, (_, n) => {
      const used = n === 140 ? 100 : n === 251 ? 98 : 5 + ((n * 37) % 60);
      return [`/dev/sd${n}`, `${50 + ((n * 61) % 600)}G`, `${used}%`, `/srv/volume/${n}`];
    });
    const { text } = expectLaws(
      createCsvAnalyzer,
      draw(["Filesystem", "Size", "Use%", "Mounted on"], rows),
      roomOf(1500),
    );
    for (const n of [140, 251]) expect(text).toContain(`/srv/volume/${n}`);
  });

  it("keep the header, the rows whose state is rare, and count the states", () => {
    const { text } = expectLaws(createCsvAnalyzer, pods, roomOf(1500));
    expect(text).toContain("[table: 400 rows × 5 columns]");
    expect(text).toContain("STATUS Running ×398, CrashLoopBackOff ×1, Pending ×1");
    expect(text).toContain("NAME ");
    expect(text).toContain(`${podRows[133]?.[0]} `);
    expect(text).toContain(`${podRows[290]?.[0]} `);
  });

  it("are known by their columns, not by who printed them", () => {
    const processes = draw(
      ["USER", "PID", "%CPU", "STAT", "COMMAND"],
      Array.from({ length: 300 }, (_, n) =>
        n === 211
          ? ["root", "4711", "0.0", "Z", "[backup] <defunct>"]
          : n === 97
            ? ["app", "4822", "99.7", "R", "java -jar reindex.jar"]
            : ["www", `${1000 + n}`, `0.${n % 7}`, "S", `/usr/sbin/worker --id ${n}`],
      ),
      [1, 2],
    );
    const shown = preview(processes, { strategy: "smart", maxChars: 2000 });
    expect(shown.shape).toBe("csv");
    expect(shown.text).toContain("<defunct>");
    expect(shown.text).toContain("reindex.jar");
    const full = draw(
      ["Filesystem", "1K-blocks", "Use%", "Mounted on"],
      Array.from({ length: 300 }, (_, n) => [
        `/dev/sd${n}`,
        `${9000 + n}`,
        n === 140 ? "100%" : `${5 + (n % 50)}%`,
        `/srv/${n}`,
      ]),
      [1, 2],
    );
    expect(preview(full, { strategy: "smart", maxChars: 2000 }).text).toMatch(/100% +\/srv\/140\n/);
  });

  it("keep rare states and empty cells of tables drawn with lines", () => {
    const rows = Array.from({ length: 500 }, (_, n) => [
      `${10_000 + n}`,
      n === 350 ? "" : `user${n}@example.org`,
      n === 77 ? "disputed" : n % 9 === 0 ? "shipped" : "paid",
    ]);
    const drawn = ` id    | email               | state\n-------+---------------------+--------\n${rows
      .map(([id = "", email = "", state = ""]) => ` ${id} | ${email.padEnd(19)} | ${state}\n`)
      .join("")}(500 rows)\n`;
    const { text } = preview(drawn, { strategy: "smart", maxChars: 2000 });
    expect(text).toContain("disputed");
    expect(text).toContain("\n 10350 |");
    expect(text).toContain("(500 rows)");
  });

  it("are none where a log of aligned columns has no names above them", () => {
    const log = Array.from(
      { length: 300 },
      (_, n) => `2026-08-03 10:00:${10 + (n % 50)} INFO  web-${n % 9}  request ${n} served\n`,
    );
    expect(preview(log.join(""), { strategy: "smart", maxChars: 2000 }).shape).toBe("log");
  });

  it("are read as a log where the rest does not keep to the columns", () => {
    const rest = Array.from(
      { length: 400 },
      (_, n) => `step-${n}-of-the-build-went-on-without-any-column ${"x".repeat(n % 40)}\n`,
    );
    const mixed = `${pods.split("\n").slice(0, 100).join("\n")}\n${rest.join("")}src/a.c:3:1: error: expected ';'\n`;
    const { shape, text } = preview(mixed, { strategy: "smart", maxChars: 1500 });
    expect(shape).toBe("log");
    expect(text).toContain("src/a.c:3:1: error");
  });

  it("take a number that is wider than its column for what it is", () => {
    const rows = Array.from({ length: 200 }, (_, n) => {
      const size = n === 150 ? "13107504" : `${1000 + n}`;
      return `root ${String(n).padStart(5)}  0.0 ${size.padStart(6)} ${String(300 + n).padStart(5)} ? worker ${n}`;
    });
    const drawn = `USER   PID %MEM    VSZ   RSS T COMMAND\n${rows.join("\n")}\n`;
    const { text, shape } = preview(drawn, { strategy: "smart", maxChars: 1500 });
    expect(shape).toBe("csv");
    expect(text).toContain("VSZ 1000 to 13107504");
    expect(text).toContain("worker 150");
  });

  it("without a header count their first column by its values", () => {
    const rows = Array.from(
      { length: 300 },
      (_, n) => `${n === 211 ? "D" : n % 20 === 7 ? "A" : "M"}\tsrc/part${n % 7}/file${n}.ts\n`,
    ).join("");
    const { text } = preview(rows, { strategy: "smart", maxChars: 1500 });
    expect(text).toContain("[values: column 1 M ×283, A ×15, D ×1]");
    expect(text).toContain("D\tsrc/part1/file211.ts");
  });
});
