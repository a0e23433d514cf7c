import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectEnvelope, expectError } from "../support/envelope.ts";
import { createWorkspace } from "./workspace.ts";

interface Facts {
  readonly original_bytes: number;
  readonly original_lines: number;
  readonly full_output_path: string;
}

describe("Bash", () => {
  const space = createWorkspace();
  space.write("sub/here.txt", "x");

  it("gives both streams in order and the exit code, also of a failure", async () => {
    const response = await space.call("Bash", { command: "echo out; echo err >&2; echo out again; exit 3" });
    expect(response).toMatchObject({
      status: "partial",
      data: { content: "out\nerr\nout again\n" },
      stats: { exit_code: 3 },
      context: { cwd: ".", path_resolved: "." },
    });
    expect(response.text).toContain("failed: the command ended with exit code 3.");
    expect(readdirSync(space.root)).toEqual(["sub"]);
  });

  it("is partial for a command that says no without a word, as grep does", async () => {
    const response = expectEnvelope(await space.call("Bash", { command: "grep -q y sub/here.txt" }));
    expect(response).toMatchObject({ status: "partial", data: { content: "" }, stats: { exit_code: 1 } });
    expect(response.text).toContain("ended with exit code 1");
    expect((await space.call("Bash", { command: "true" })).status).toBe("success");
  });

  it("runs in a directory below the root", async () => {
    const response = await space.call("Bash", { command: "ls; pwd", cwd: "sub" });
    expect(response.data.content).toBe(`here.txt\n${space.path("sub")}\n`);
    expect(response.context.cwd).toBe("sub");
    expectError(await space.call("Bash", { command: "ls", cwd: "sub/here.txt" }), "INVALID_PARAM");
  });

  it("tells the signal that ended a command", async () => {
    const response = await space.call("Bash", { command: "kill -9 $$" });
    expect(response).toMatchObject({ status: "partial", stats: { exit_code: 137, signal: "SIGKILL" } });
    expect(response.text).toContain("was ended by SIGKILL (exit code 137)");
  });

  it("gives the environment to the command and keeps its values out of the envelope", async () => {
    const params = { command: 'test "$API_KEY" = hunter2 && echo got it', env: { API_KEY: "hunter2" } };
    const response = await space.call("Bash", params);
    expect(response.data.content).toBe("got it\n");
    expect(response.context.params_input).toEqual({ command: params.command, env: { API_KEY: "[redacted]" } });
    expect(JSON.stringify(response.context)).not.toContain('API_KEY":"hunter2');
    const refused = expectError(await space.call("Bash", { command: 5, env: { API_KEY: "hunter2" } }), "INVALID_PARAM");
    expect(JSON.stringify(refused)).not.toContain("hunter2");
  });

  it("repeats no value of env in a complaint, and names a way for a command that is too long", async () => {
    const response = await space.call("Bash", { command: "true", env: { TOKEN: "s3cret\0" } });
    expectError(response, "INVALID_PARAM");
    expect(JSON.stringify(response)).not.toContain("s3cret");
    const long = await space.call("Bash", { command: `echo ${"x".repeat(3_000_000)}` });
    expect(expectError(long, "INVALID_PARAM").text).toContain("Write");
  });

  it("is partial with the captured output when it takes too long, an error TIMEOUT only without any", async () => {
    const begun = expectEnvelope(await space.call("Bash", { command: "echo begun; sleep 60", timeout_ms: 1500 }));
    expect(begun).toMatchObject({ status: "partial", data: { timed_out: true, content: "begun\n" } });
    expect(begun.text).toMatch(/failed \(timed out\): the command was ended after 1\.5 s\. .*timeout_ms/);
    const silent = expectError(await space.call("Bash", { command: "sleep 60", timeout_ms: 300 }), "TIMEOUT");
    expect(silent.text).toContain("timeout_ms");
  });

  it("keeps the preview and the path of a long output that timed out", async () => {
    const response = expectEnvelope(await space.call("Bash", { command: "seq 1 50000; sleep 60", timeout_ms: 3000 }));
    expect(response).toMatchObject({ status: "partial", data: { truncated: true, timed_out: true } });
    expect(response.text).toMatch(/failed \(timed out\).*timeout_ms/s);
    const facts = response.data.truncation as Facts;
    expect(readFileSync(space.path(facts.full_output_path), "utf8")).toMatch(/\n50000\n$/);
  });

  it("ends on abort with what was captured", async () => {
    const controller = new AbortController();
    const answer = space.call("Bash", { command: "echo begun; touch begun; sleep 60" }, { signal: controller.signal });
    await expect.poll(() => existsSync(space.path("begun"))).toBe(true);
    controller.abort();
    const response = await answer;
    expect(response).toMatchObject({ status: "partial", data: { aborted: true, content: "begun\n" } });
    expect(response.text).toContain("failed (aborted)");
  });

  it("gives interactive programs no terminal and no input", async () => {
    const response = await space.call("Bash", {
      command: "cat; read -p 'name? ' name; tty; test -t 1 || echo no terminal",
    });
    expect(response.data.content).toContain("not a tty");
    expect(response.data.content).toContain("no terminal");
  });

  it("does not wait for a background process that holds the output, and says so", async () => {
    const response = await space.call("Bash", { command: "sleep 30 & echo $!" });
    process.kill(Number(response.data.content));
    expect(response.status).toBe("partial");
    expect(response.text).toContain("truncated: a background process still holds the output open");
  });

  it("shows part of a long output, saves all of it byte for byte, and keeps the exit code", async () => {
    const response = await space.call("Bash", { command: "seq 1 100000; exit 4" }, { callId: "call/1" });
    expect(response).toMatchObject({ status: "partial", stats: { exit_code: 4 } });
    const facts = response.data.truncation as Facts;
    expect(facts).toMatchObject({ original_lines: 100_000, original_bytes: 588_895 });
    const saved = readFileSync(space.path(facts.full_output_path), "utf8");
    expect(saved).toBe(Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join(""));
    expect(response.text).toContain(facts.full_output_path);
    expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(80_000);
  });

  it("streams 500 MB in bounded memory", async () => {
    const before = process.memoryUsage.rss();
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const response = await space.call("Bash", {
      command: "yes 0123456789abcdefghijklmnopqrstuvwxyz | head -c 500000000",
    });
    clearInterval(timer);
    const facts = response.data.truncation as Facts;
    expect(facts.original_bytes).toBe(500_000_000);
    expect(statSync(space.path(facts.full_output_path)).size).toBe(500_000_000);
    expect(peak - before).toBeLessThan(200 << 20);
  });

  it("survives bytes that are not text", async () => {
    const response = await space.call("Bash", { command: "printf 'a\\377\\0b\\n'" });
    expect(response.data.content).toBe("a\ufffd\0b\n");
  });
});
