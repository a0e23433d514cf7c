import { describe, expect, it } from "vitest";
import { askedNames, asksForErrors } from "../../src/query/asked-names.ts";
import { readQuestion } from "../../src/query/question.ts";

function tokensOf(question: string): string[] {
  return readQuestion(question).tokens.map(({ text }) => text);
}

describe("readQuestion", () => {
  it("keeps together what is written without a blank", () => {
    expect(tokensOf("Why does src/net/dhcp-server.c:12 (v1.2.3) call Pool::freeAll()?")).toEqual([
      ...["Why", "does", "src/net/dhcp-server.c:12", "v1.2.3", "call", "Pool::freeAll"],
    ]);
  });

  it("takes identifiers apart", () => {
    const { tokens } = readQuestion("readHTTPHeader of read_file.ts");
    expect(tokens.map(({ words }) => words.map(({ parts }) => parts))).toEqual([
      [["read", "http", "header"]],
      [["of"]],
      [["read", "file"], ["ts"]],
    ]);
  });

  it("reads a contraction as one word", () => {
    expect(tokensOf("the server's socket doesn't close, we’ll see")).toEqual([
      ...["the", "server", "socket", "doesn", "close", "we", "see"],
    ]);
  });

  it("tells characters between which no blank stands from words, and what they name from what asks", () => {
    const { tokens } = readQuestion("redis连接超时为什么");
    expect(tokens.map(({ text, words: [word] }) => [text, word?.run, word?.parts])).toEqual([
      ["redis", false, ["redis"]],
      ["连接超时为什么", true, ["连接超时"]],
    ]);
  });

  it("knows wordings in quotation marks, and addresses to their end", () => {
    const question = 'what is "exit code 137" at https://example.org/a?b=c&d, and then?';
    const { quoted, tokens } = readQuestion(question);
    expect(quoted).toEqual(["exit code 137"]);
    expect(tokens.filter(({ address }) => address).map(({ text }) => text)).toEqual([
      ...["https://example.org/a", "b", "c", "d"],
    ]);
  });

  it("takes out what a question calls the output itself", () => {
    expect(tokensOf("Why did this Travis CI build fail?")).toEqual(["Why", "did", "this", "fail"]);
    expect(tokensOf("What is the cause of this failed PyTorch CI job?").slice(-2)).toEqual(["of", "this"]);
    expect(askedNames("Why did this Travis CI build fail?")).toEqual([]);
    expect(asksForErrors("What is the cause of this failed PyTorch CI job?")).toBe(true);
  });

  it("leaves what else it names", () => {
    for (const question of [
      "Where does Travis set the build folder?",
      "does this timeout come from the build?",
      "which build of libfoo is used?",
      "does this, unlike the build, work?",
    ]) {
      expect(tokensOf(question)).toEqual(question.match(/\w+/g));
    }
  });
});
