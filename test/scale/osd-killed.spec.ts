import { describe, expect, it } from "vitest";
import { newStore, servers, tell } from "./servers.ts";

const MB = 1024 * 1024;

describe.skipIf(servers.s3 === undefined)("a part of the cluster is killed under load", () => {
  it("costs no byte: each artifact is in the bucket or in the spool, whole", async () => {
    const store = newStore({ timeoutMs: 10_000, retryForMs: 30_000 });
    await store.init();
    const count = servers.long ? 200 : 40;
    const finished: { id: string; spooled?: string }[] = [];
    let next = 0;
    const work = async () => {
      for (let at = next++; at < count; at = next++) {
        if (at === Math.floor(count / 4)) process.kill(servers.s3?.osds[2] ?? 0, "SIGKILL");
        const writer = await store.create({ tool: "Bash", callId: `call_${at}` });
        const chunk = Buffer.alloc(65_536, `artifact ${at} under load\n`);
        const bytes = at % 5 === 0 ? 10 * MB : 300_000;
        for (let done = 0; done < bytes; done += chunk.length) await writer.write(chunk);
        finished.push(await writer.finish({ complete: true }));
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(finished).toHaveLength(count);
    const report = await store.sync();
    expect(report.failed).toEqual([]);
    for (const { id } of finished) expect((await store.verify(id)).ok).toBe(true);
    const spooled = finished.filter((one) => one.spooled !== undefined).length;
    tell(`one of three OSDs killed under 8 writers, ${count} artifacts`, `all whole; ${spooled} through the spool`);
  });
});
