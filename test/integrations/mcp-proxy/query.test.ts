import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FILESYSTEM, proxyArgs, RawPeer, temporaryRoot } from "../../support/mcp-peers.ts";

const root = temporaryRoot();
const users = Array.from({ length: 26_000 }, (_, id) => ({
  id,
  name: `user ${id}`,
  status: id % 37 === 5 ? "suspended" : "active",
  address: { city: ["Oslo", "Rome", "Lima"][id % 3], street: "a long street with a long name, and a number".repeat(2) },
}));
const suspended = users.filter(({ status }) => status === "suspended").length;
writeFileSync(join(root, "users.json"), JSON.stringify({ total: users.length, users }));

describe("spillway_query in front of the reference filesystem server", async () => {
  const peer = new RawPeer(await proxyArgs(root, [FILESYSTEM, root]));
  afterAll(() => peer.close());
  await peer.initialize("2025-11-25");
  const answerOf = async (args: object): Promise<{ text: string; isError: boolean }> => {
    const { result } = await peer.call("spillway_query", args);
    return { text: result.content[0].text, isError: result.isError === true };
  };

  test("the notice of a bounded answer names the columns and a query that works when pasted", async () => {
    const bounded = await peer.call("read_text_file", { path: join(root, "users.json") });
    const text = bounded.result.content.map((block: { text?: string }) => block.text ?? "").join("\n");
    const offered = /rows\(([^)]*)\): spillway_query (\{.*\})\]/.exec(text);
    expect(offered?.[1]).toBe("id, name, status, address_city, address_street");
    const call = JSON.parse(offered?.[2] ?? "");
    expect((await answerOf(call)).text).toBe(
      `status\tcount(*)\nactive\t${users.length - suspended}\nsuspended\t${suspended}\n[2 rows]`,
    );
    const { id } = call;
    const sql = "SELECT address_city, count(*) FROM rows WHERE status = 'suspended' GROUP BY 1 ORDER BY 1";
    const counts = ["Lima", "Oslo", "Rome"].map(
      (city) => users.filter(({ status, address }) => status === "suspended" && address.city === city).length,
    );
    expect((await answerOf({ id, sql })).text).toBe(
      `address_city\tcount(*)\nLima\t${counts[0]}\nOslo\t${counts[1]}\nRome\t${counts[2]}\n[3 rows]`,
    );
    expect((await answerOf({ id })).text).toContain("document(total integer): 1 row");
    const long = await answerOf({ id, sql: "SELECT * FROM rows" });
    expect(Buffer.byteLength(long.text)).toBeLessThanOrEqual(51_200);
    expect(long.text).toMatch(/\[the first \d+ rows; there are more/);
    expect(await answerOf({ id, sql: "SELECT staus FROM rows" })).toEqual({
      isError: true,
      text: expect.stringContaining("There is no column staus. Did you mean status?"),
    });
    expect((await answerOf({ id: "nope", sql: "SELECT 1" })).isError).toBe(true);
  });
});
