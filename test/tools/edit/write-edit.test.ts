import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { encodeText } from "../../../src/tools/edit/editable-file.ts";
import { expectEnvelope, expectError } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

describe("Write", () => {
  const space = createWorkspace();

  it("names the file that the system refuses, not a descriptor or a temporary file", async () => {
    const name = `${"n".repeat(300)}.txt`;
    const { text, error } = await space.call("Write", { path: `deep/${name}`, content: "x" });
    expect(error?.message).toContain(`'deep/${name}' (ENAMETOOLONG on`);
    expect(text).not.toMatch(/\/proc\/|\.tmp/);
  });
  const write = async (params: object) => expectEnvelope(await space.call("Write", params), "write");

  it("creates a file and the directories above it", async () => {
    const response = await write({ path: "new/deep/a.txt", content: "hello\n" });
    expect(response).toMatchObject({
      status: "success",
      data: { applied: true },
      stats: { lines_added: 1, lines_removed: 0 },
    });
    expect(response.data.diff).toContain("+hello");
    expect(space.read("new/deep/a.txt").toString()).toBe("hello\n");
    expect(readdirSync(space.path("new/deep"))).toEqual(["a.txt"]);
  });

  it("keeps the mode, the byte order mark and the line endings of what it replaces", async () => {
    space.write("script.sh", "\ufeffone\r\ntwo\r\n");
    chmodSync(space.path("script.sh"), 0o751);
    await write({ path: "script.sh", content: "one\nthree\n" });
    expect(space.read("script.sh").toString()).toBe("\ufeffone\r\nthree\r\n");
    expect(statSync(space.path("script.sh")).mode & 0o777).toBe(0o751);
  });

  it("only shows the diff in a dry run", async () => {
    space.write("dry.txt", "old\n");
    const response = await write({ path: "dry.txt", content: "new\n", dry_run: true });
    expect(response).toMatchObject({ status: "partial", data: { applied: false } });
    expect(response.data.diff).toContain("-old\n+new");
    expect(space.read("dry.txt").toString()).toBe("old\n");
    await write({ path: "not-there.txt", content: "x", dry_run: true });
    expect(readdirSync(space.root)).not.toContain("not-there.txt");
  });

  it("repeats long content in params_input alone, as it was given, and no long diff", async () => {
    const response = await write({ path: "big.txt", content: "a line of text\n".repeat(50_000) });
    expect(response).toMatchObject({ status: "success", data: { applied: true } });
    const { params_input: given, ...rest } = response.context as Record<string, unknown>;
    expect(given).toMatchObject({ content: "a line of text\n".repeat(50_000) });
    expect(JSON.stringify({ ...response, context: rest }).length).toBeLessThan(3000);
    expect(space.read("big.txt").length).toBe(750_000);
  });

  it("refuses a directory, and a wrong expected_hash", async () => {
    mkdirSync(space.path("folder"));
    expectError(await space.call("Write", { path: "folder", content: "" }), "IS_DIRECTORY");
    expectError(
      await space.call("Write", { path: "dry.txt", content: "x", expected_hash: "0".repeat(64) }),
      "CONFLICT",
    );
    expectError(
      await space.call("Write", { path: "gone.txt", content: "x", expected_hash: "0".repeat(64) }),
      "CONFLICT",
    );
    expect(space.read("dry.txt").toString()).toBe("old\n");
  });

  it("refuses a path that ends with a slash or leads through a file", async () => {
    space.write("plain.txt", "x");
    expectError(await space.call("Write", { path: "unmade/", content: "x" }), "INVALID_PARAM");
    expectError(await space.call("Write", { path: "plain.txt/inner.txt", content: "x" }), "INVALID_PARAM");
    expect(existsSync(space.path("unmade"))).toBe(false);
  });

  it("notices that a UTF-16 file changed since it was read", async () => {
    space.write("wide.txt", Buffer.from("\ufeffone\n", "utf16le"));
    expect((await space.call("Read", { path: "wide.txt" })).data.hash).toMatch(/^[0-9a-f]{64}$/);
    space.write("wide.txt", Buffer.from("\ufefftwo\n", "utf16le"));
    expectError(await space.call("Write", { path: "wide.txt", content: "three\n" }), "CONFLICT");
  });

  it("notices that a file changed since it was read, and goes on after a new read", async () => {
    space.write("shared.txt", "v1\n");
    await space.call("Read", { path: "shared.txt" });
    writeFileSync(space.path("shared.txt"), "v2 by somebody else\n");
    const conflict = expectError(await space.call("Write", { path: "shared.txt", content: "mine\n" }), "CONFLICT");
    expect(conflict.text).toContain('Read {"path":"shared.txt"}');
    expect(space.read("shared.txt").toString()).toBe("v2 by somebody else\n");
    await space.call("Read", { path: "shared.txt" });
    await write({ path: "shared.txt", content: "mine\n" });
    await write({ path: "shared.txt", content: "mine again\n" });
  });
});

describe("Edit", () => {
  const space = createWorkspace();
  const edit = async (params: object) => expectEnvelope(await space.call("Edit", params), "edit");

  it("replaces one place and gives diff and numbers", async () => {
    space.write("a.ts", "const a = 1;\nconst b = 2;\n");
    const response = await edit({ path: "a.ts", old_string: "b = 2", new_string: "b = 3" });
    expect(response).toMatchObject({
      status: "success",
      data: { applied: true },
      stats: { replacements: 1, lines_added: 1, lines_removed: 1 },
    });
    expect(response.data.diff).toContain("-const b = 2;\n+const b = 3;");
    expect(space.read("a.ts").toString()).toBe("const a = 1;\nconst b = 3;\n");
  });

  it("asks for more context when the place is not unique, or replaces all", async () => {
    space.write("twice.txt", "x\ny\nx\n");
    const refused = expectError(
      await space.call("Edit", { path: "twice.txt", old_string: "x", new_string: "z" }),
      "INVALID_PARAM",
    );
    expect(refused.data).toEqual({ applied: false, lines: [1, 3] });
    expect(
      (await edit({ path: "twice.txt", old_string: "x", new_string: "$&", replace_all: true })).stats.replacements,
    ).toBe(2);
    expect(space.read("twice.txt").toString()).toBe("$&\ny\n$&\n");
  });

  it("says where a text nearly stands, with a Read that works", async () => {
    space.write("near.txt", "    indented line\n");
    const refused = expectError(
      await space.call("Edit", { path: "near.txt", old_string: "indented line\nmore", new_string: "x" }),
      "INVALID_PARAM",
    );
    expect(refused.text).toContain("line 1");
    const next = JSON.parse(/Read (\{.*?\})/.exec(refused.text)?.[1] ?? "");
    expectEnvelope(await space.call("Read", next), "read");
    expectError(
      await space.call("Edit", { path: "near.txt", old_string: "same", new_string: "same" }),
      "INVALID_PARAM",
    );
    expectError(await space.call("Edit", { path: "nowhere.txt", old_string: "a", new_string: "b" }), "NOT_FOUND");
  });

  it.each([
    [
      "CRLF and a byte order mark",
      Buffer.from("\ufeffone\r\ntwo\r\n"),
      "one\ntwo",
      "ONE\nTWO",
      Buffer.from("\ufeffONE\r\nTWO\r\n"),
    ],
    ["mixed line endings", Buffer.from("a\r\nb\nc\r\n"), "b", "B", Buffer.from("a\r\nB\nc\r\n")],
    ["GBK", encodeText("第一行\n第二行\n", "gbk"), "第二行", "最后一行", encodeText("第一行\n最后一行\n", "gbk")],
    ["UTF-16", Buffer.from("\ufeffhéllo\n", "utf16le"), "héllo", "wörld", Buffer.from("\ufeffwörld\n", "utf16le")],
  ])("keeps %s", async (_, before, oldString, newString, after) => {
    space.write("kept.txt", before as Buffer);
    const fresh = createWorkspace({ root: space.root });
    expectEnvelope(
      await fresh.call("Edit", { path: "kept.txt", old_string: oldString, new_string: newString }),
      "edit",
    );
    expect(space.read("kept.txt").equals(after as Buffer)).toBe(true);
  });

  it("refuses a character that the file's encoding lacks, and leaves the file as it was", async () => {
    const bytes = encodeText("价格一百\n", "gbk") as Buffer;
    space.write("price.txt", bytes);
    expectError(await space.call("Edit", { path: "price.txt", old_string: "一百", new_string: "😀" }), "INVALID_PARAM");
    expect(space.read("price.txt").equals(bytes)).toBe(true);
  });

  it("refuses a binary file and a file that changed since it was read", async () => {
    space.write("image.png", Buffer.from("89504e470d0a1a0a00", "hex"));
    expectError(await space.call("Edit", { path: "image.png", old_string: "P", new_string: "Q" }), "BINARY_FILE");
    space.write("race.txt", "v1 text\n");
    const hash = (await space.call("Read", { path: "race.txt" })).data.hash;
    writeFileSync(space.path("race.txt"), "v2 text\n");
    expectError(await space.call("Edit", { path: "race.txt", old_string: "text", new_string: "x" }), "CONFLICT");
    expectError(
      await space.call("Edit", { path: "race.txt", old_string: "text", new_string: "x", expected_hash: hash }),
      "CONFLICT",
    );
  });
});

describe("changes of one file at once", () => {
  const space = createWorkspace();
  const names = Array.from({ length: 20 }, (_, at) => `token-${String(at).padStart(2, "0")}`);

  it("all take effect when each says that it has", async () => {
    space.write("many.txt", names.join("\n"));
    const edits = names.map((name) =>
      space.call("Edit", { path: "many.txt", old_string: name, new_string: name.toUpperCase() }),
    );
    const answers = await Promise.all(edits);
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => "success"));
    expect(space.read("many.txt").toString()).toBe(names.join("\n").toUpperCase());
  });

  it("of many who create a file, the others are told that it is there", async () => {
    const writes = names.map((name) => space.call("Write", { path: "new.txt", content: name }));
    const verbs = (await Promise.all(writes)).map(({ text }) => text.split(" ", 1)[0]);
    expect(verbs.filter((verb) => verb === "Created")).toHaveLength(1);
    expect(verbs.filter((verb) => verb === "Replaced")).toHaveLength(names.length - 1);
  });

  it("are refused when they know the file only as it was before another", async () => {
    space.write("known.txt", "one two");
    const { hash } = (await space.call("Read", { path: "known.txt" })).data;
    const edits = ["one", "two"].map((word) =>
      space.call("Edit", { path: "known.txt", old_string: word, new_string: "X", expected_hash: hash }),
    );
    const codes = (await Promise.all(edits)).map(({ error }) => error?.code ?? "none");
    expect(codes.sort()).toEqual(["CONFLICT", "none"]);
    expect(["X two", "one X"]).toContain(space.read("known.txt").toString());
  });
});

describe("Edit of a file with bytes that are no text", () => {
  const space = createWorkspace();

  it.each([
    ["UTF-8 that ends inside a character", [Buffer.from("hello\n"), Buffer.from([0xe4, 0xb8])]],
    ["UTF-16 with half a pair", [Buffer.from("\ufeffhello\nx", "utf16le"), Buffer.from([0, 0xd8, 0x79, 0])]],
    ["UTF-16 with half a unit", [Buffer.from("\ufeffhello\nx", "utf16le"), Buffer.from([0x79])]],
  ])("leaves %s as it was", async (_, parts) => {
    const bytes = Buffer.concat(parts);
    space.write("odd.txt", bytes);
    const params = { path: "odd.txt", old_string: "hello", new_string: "world" };
    expectError(await space.call("Edit", params), "BINARY_FILE");
    expect(space.read("odd.txt").equals(bytes)).toBe(true);
  });
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

describe("a full disk", () => {
  const space = createWorkspace();
  const mounted: string[] = [];
  afterAll(() => {
    for (const folder of mounted) execFileSync("umount", [folder]);
  });

  it.runIf(canMount)(
    "is an EXECUTION_ERROR and leaves the file as it was (needs root to mount a small tmpfs)",
    async (context) => {
      mkdirSync(space.path("small"));
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", space.path("small")], { stdio: "ignore" });
      } catch {
        context.skip("this machine does not let root mount a tmpfs");
      }
      mounted.push(space.path("small"));
      space.write("small/a.txt", "before\n");
      const response = expectError(
        await space.call("Write", { path: "small/a.txt", content: "x".repeat(200_000) }),
        "EXECUTION_ERROR",
      );
      expect(response.text).toMatch(/no space/i);
      expect(space.read("small/a.txt").toString()).toBe("before\n");
      expect(readdirSync(space.path("small"))).toEqual(["a.txt"]);
    },
  );
});
