import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeText } from "../../../src/tools/edit/editable-file.ts";
import { expectEnvelope, expectError } from "../../support/envelope.ts";
import { mkfifoSync } from "../../support/mkfifo.ts";
import { createWorkspace } from "../workspace.ts";

/** The lines of a numbered page without their numbers. */
function linesOf(content: unknown): string[] {
  return (content as string).split("\n").map((line) => line.slice(line.indexOf("\t") + 1));
}

describe("Read", () => {
  const space = createWorkspace();
  const read = async (params: object) => expectEnvelope(await space.call("Read", params), "read");

  it("numbers lines and gives totals, encoding and hash", async () => {
    space.write("a.txt", "one\ntwo\n");
    const response = await read({ path: "a.txt" });
    expect(response.status).toBe("success");
    expect(response.data).toMatchObject({ content: "     1\tone\n     2\ttwo", encoding: "utf-8", truncated: false });
    expect(response.data.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(response.stats).toMatchObject({ total_lines: 2, total_bytes: 8 });
    expect(response.context).toMatchObject({ truncation_skip: true, path_resolved: "a.txt" });
  });

  it("reads an empty file, and one without a final newline", async () => {
    space.write("empty.txt", "");
    expect(await read({ path: "empty.txt" })).toMatchObject({
      status: "success",
      data: { content: "" },
      stats: { total_lines: 0 },
    });
    space.write("open.txt", "a\nb");
    expect((await read({ path: "open.txt" })).stats.total_lines).toBe(2);
  });

  it("pages; every next call works; the pages together are the file; no artifact is made", async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `line ${i + 1} ${"é".repeat(i % 40)}`);
    space.write("pages.txt", `${lines.join("\n")}\n`);
    const seen: string[] = [];
    let params: object | undefined = { path: "pages.txt" };
    let calls = 0;
    while (params !== undefined) {
      const response = await read(params);
      expect(Buffer.byteLength(response.data.content as string)).toBeLessThanOrEqual(51_200);
      seen.push(...linesOf(response.data.content));
      const next = /Read (\{.*?\}) goes on/.exec(response.text)?.[1];
      expect(next === undefined).toBe(response.status === "success");
      params = next === undefined ? undefined : JSON.parse(next);
      expect(++calls).toBeLessThan(20);
    }
    expect(seen).toEqual(lines);
    expectError(await space.call("LS", { path: ".agents/tool-output" }), "NOT_FOUND");
  });

  it("refuses a line after the end and says where the end is", async () => {
    const response = expectError(await space.call("Read", { path: "a.txt", offset: 99 }), "INVALID_PARAM");
    expect(response.text).toContain("2 lines");
  });

  it("says when line endings are mixed, and so does an edit that misses for it", async () => {
    space.write("mixed.txt", "one\r\ntwo\nthree\n");
    expect((await space.call("Read", { path: "mixed.txt" })).data.line_ending).toBe("mixed");
    const missed = await space.call("Edit", { path: "mixed.txt", old_string: "one\ntwo", new_string: "x" });
    expect(expectError(missed, "INVALID_PARAM").text).toContain("\\r\\n");
  });

  it("shows CRLF files without the carriage returns, and says so", async () => {
    space.write("crlf.txt", "one\r\ntwo\r\n");
    const { data } = await read({ path: "crlf.txt" });
    expect(data).toMatchObject({ line_ending: "crlf", content: "     1\tone\n     2\ttwo" });
  });

  it.each([
    [
      "utf-16le",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("héllo\nwörld\n", "utf16le")]),
      ["héllo", "wörld"],
    ],
    [
      "utf-16be",
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("日本\nok\n", "utf16le").swap16()]),
      ["日本", "ok"],
    ],
    [
      "utf-16le",
      Buffer.from("plain latin without a mark\nsecond\n", "utf16le"),
      ["plain latin without a mark", "second"],
    ],
    ["gbk", encodeText("中文内容，没有问题\n第二行\n", "gbk") as Buffer, ["中文内容，没有问题", "第二行"]],
    ["utf-8", Buffer.from("\ufeffmarked\n"), ["marked"]],
  ])("reads %s", async (encoding, bytes, lines) => {
    space.write("encoded.txt", bytes);
    const response = await read({ path: "encoded.txt" });
    expect(response.data.encoding).toBe(encoding);
    expect(linesOf(response.data.content)).toEqual(lines);
    expect(response.status).toBe("success");
  });

  it("is partial when the encoding is a guess", async () => {
    space.write("latin.txt", Buffer.from("caf\xe9 au lait\nna\xefve\n", "latin1"));
    const response = await read({ path: "latin.txt" });
    expect(response).toMatchObject({ status: "partial", data: { encoding: "windows-1252", fallback: "windows-1252" } });
    expect(linesOf(response.data.content)).toEqual(["café au lait", "naïve"]);
  });

  it.each([
    ["image.png", Buffer.from("89504e470d0a1a0a0000000d", "hex"), "PNG image"],
    ["program", Buffer.from("7f454c460201010000000000", "hex"), "ELF program"],
    ["zeros", Buffer.alloc(5000), "data"],
    ["noise", Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919 + (i >> 3) * 31) % 256)), "data"],
  ])("calls %s a binary file, with size and type", async (name, bytes, type) => {
    space.write(name, bytes);
    const response = expectError(await space.call("Read", { path: name }), "BINARY_FILE");
    expect(response.data).toEqual({ size: bytes.length, type });
  });

  it("keeps a stray NUL in a text", async () => {
    space.write("stray.log", `${"some text\n".repeat(50)}a\0b\n${"more\n".repeat(50)}`);
    expect((await read({ path: "stray.log" })).data.content).toContain("a\0b");
  });

  it("pages a sparse file of 5 GB without reading it whole", async () => {
    const fd = openSync(space.path("sparse.txt"), "w");
    writeSync(fd, "first\nsecond\nthird\n");
    ftruncateSync(fd, 5 * 1024 ** 3);
    const tail = Buffer.from("\nthe end\n");
    writeSync(fd, tail, 0, tail.length, 5 * 1024 ** 3);
    closeSync(fd);
    const start = process.hrtime.bigint();
    const response = await read({ path: "sparse.txt", limit: 2 });
    expect(linesOf(response.data.content)).toEqual(["first", "second"]);
    expect(response.status).toBe("partial");
    expect(response.stats).not.toHaveProperty("total_lines");
    const end = await read({ path: "sparse.txt", bytes: `${5 * 1024 ** 3 + 1}-` });
    expect(end.data.content).toBe("the end\n");
    // Reading 5 GB would take several seconds on any disk; 20 s leaves room for a busy machine.
    expect(Number(process.hrtime.bigint() - start) / 1e9).toBeLessThan(20);
    expectError(await space.call("Read", { path: "sparse.txt", offset: 4 }), "BINARY_FILE");
  });

  it("shows the beginning of a line of 100 MB, goes on inside it and after it", async () => {
    space.write("wide.txt", Buffer.concat([Buffer.alloc(100_000_000, "é"), Buffer.from("\nafter\n")]));
    const first = await read({ path: "wide.txt" });
    expect(first.status).toBe("partial");
    expect(first.stats.total_lines).toBe(2);
    expect(Buffer.byteLength(first.data.content as string)).toBeLessThanOrEqual(51_200);
    const [inside, after] = [...first.text.matchAll(/Read (\{.*?\})/g)].map((match) => JSON.parse(match[1] as string));
    const second = await read(inside);
    expect(second.data.content).toMatch(/^é+$/);
    expect(linesOf((await read(after)).data.content)).toEqual(["after"]);
  });

  it("reads byte ranges that join without loss, whatever they cut", async () => {
    const text = "aé漢😀".repeat(50);
    space.write("bytes.txt", text);
    const size = Buffer.byteLength(text);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: size - 1 }), async (cut) => {
        const left = await read({ path: "bytes.txt", bytes: `0-${cut}` });
        const right = await read({ path: "bytes.txt", bytes: `${cut}-${size}` });
        const between = Number(left.stats.end_byte) === Number(right.stats.start_byte);
        expect(between).toBe(true);
        expect(`${left.data.content}${right.data.content}`).toBe(text);
      }),
      { numRuns: 50 },
    );
    expectError(await space.call("Read", { path: "bytes.txt", bytes: "9-3" }), "INVALID_PARAM");
    expectError(await space.call("Read", { path: "bytes.txt", bytes: "999999-" }), "INVALID_PARAM");
  });

  it("does not hang on a named pipe or a device, and refuses a directory", async () => {
    mkfifoSync(space.path("fifo"));
    expectError(await space.call("Read", { path: "fifo" }), "INVALID_PARAM");
    const devices = createWorkspace({ root: "/dev" });
    expectError(await devices.call("Read", { path: "zero" }), "INVALID_PARAM");
    expectError(await space.call("Read", { path: "." }), "IS_DIRECTORY");
    expectError(await space.call("Read", { path: "missing.txt" }), "NOT_FOUND");
    expectError(await space.call("Read", { path: "a\0b" }), "INVALID_PARAM");
  });

  it.runIf(process.platform === "linux")("reads files of /proc, which claim to be empty", async () => {
    const proc = createWorkspace({ root: "/proc" });
    const response = expectEnvelope(await proc.call("Read", { path: "version" }), "read");
    expect(response.data.content).toContain("Linux version");
    expectEnvelope(await proc.call("Read", { path: "kmsg" }));
  });

  it("follows links that stay below the root", async () => {
    symlinkSync(path.join(space.root, "a.txt"), space.path("inner-link"));
    expect((await read({ path: "inner-link" })).context.path_resolved).toBe("a.txt");
  });

  it("takes file_path, and the limits that the config file gives to read_file", async () => {
    const configured = createWorkspace();
    configured.write(
      "spillway.yaml",
      "tool_output_limits:\n  tools:\n    read_file: { max_chars: 500, max_lines: 20 }\n",
    );
    configured.write("long.txt", "0123456789\n".repeat(100));
    const alias = expectEnvelope(await configured.call("read_file", { file_path: "long.txt" }), "read");
    expect(alias.stats.end_line).toBe(20);
    expect((alias.data.content as string).length).toBeLessThanOrEqual(500);
    configured.write("wide.txt", "0123456789".repeat(6).concat("\n").repeat(100));
    const wide = await configured.call("read_file", { file_path: "wide.txt" });
    expect((wide.data.content as string).length).toBeLessThanOrEqual(500);
    expect(Number(wide.stats.end_line)).toBeLessThan(20);
    expect((await configured.call("Read", { path: "long.txt" })).stats.end_line).toBe(20);
  });

  it("reads a saved output by path and id, by lines and bytes", async () => {
    const big = await space.call("Bash", { command: "seq 1 30000" }, { callId: "call_7" });
    const saved = (big.data.truncation as { full_output_path: string }).full_output_path;
    const id = /_([^_]+)\.txt$/.exec(saved)?.[1] as string;
    for (const reference of [saved, id]) {
      const page = await read({ path: reference, offset: 15_000, limit: 2 });
      expect(linesOf(page.data.content)).toEqual(["15000", "15001"]);
      expect(page.stats.total_lines).toBe(30_000);
      expect((await read({ path: reference, bytes: "0-4" })).data.content).toBe("1\n2\n");
    }
    expectError(await space.call("Read", { path: saved, offset: 30_001 }), "INVALID_PARAM");
  });

  it("reads all of a saved output, each byte once, in as many calls as it says", async () => {
    const whole = Array.from({ length: 30_000 }, (_, at) => `${at + 1}\n`).join("");
    const big = await space.call("Bash", { command: "seq 1 30000" });
    const path = (big.data.truncation as { full_output_path: string }).full_output_path;
    const texts: unknown[] = [];
    let calls: unknown;
    for (let next: Record<string, unknown> | undefined = { path, all: true }; next !== undefined; ) {
      const page = await read(next);
      texts.push(page.data.content);
      calls ??= page.stats.parts;
      const left = Number(calls) - texts.length;
      const [, more, json] = /(\d+) more calls? read the rest.*Read (\{.*?\}) goes on/.exec(page.text) ?? [];
      expect(Number(more ?? 0)).toBe(left);
      next = json === undefined ? undefined : JSON.parse(json);
    }
    expect(texts.join("")).toBe(whole);
    expect(texts.length).toBe(calls);
    expect(texts.length).toBeGreaterThan(2);
    expectError(await space.call("Read", { path, all: true, part: 99 }), "INVALID_PARAM");
    space.write("plain.txt", "a\n");
    expectError(await space.call("Read", { path: "plain.txt", all: true }), "INVALID_PARAM");
  });
});
