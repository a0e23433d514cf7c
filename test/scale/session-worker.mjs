/** Takes sessions that have not ended and works on them, a step at a time, until all have: `node … URL STEPS LEASE_MS`. */
import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresSessions } from "spillway/agent/postgres";

const [url, steps, leaseMs] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const store = createPostgresSessions({ url, leaseMs, maxConnections: 2 });
for (;;) {
  const open = (await store.list()).filter(({ lastEnd }) => lastEnd !== "done");
  if (open.length === 0) break;
  const free = open.filter(({ writer }) => writer === undefined);
  if (free.length === 0) {
    await sleep(100);
    continue;
  }
  const { id } = free[Math.floor(Math.random() * free.length)];
  const session = await store.resume(id).catch((error) => {
    if (error.code === "SESSION_BUSY") return undefined;
    throw error;
  });
  if (session === undefined) continue;
  const made = session.events.filter(({ type }) => type === "user").length;
  const ended = session.events.some(({ type }) => type === "turn.end");
  for (let step = made + 1; step <= steps; step++) {
    await sleep(5);
    await session.append({ type: "user", text: `step ${step}` });
    process.stdout.write(`step ${step}\n`);
  }
  if (!ended) await session.append({ type: "turn.end", reason: "done" });
  await session.close();
}
await store.close();
