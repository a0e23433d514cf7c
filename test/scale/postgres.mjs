/** A PostgreSQL cluster of its own on loopback. */
import { execFile } from "node:child_process";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const DEBIAN = "/usr/lib/postgresql";

/** Starts a cluster and gives its address. */
export async function startPostgres() {
  const versions = (await readdir(DEBIAN)).sort((left, right) => Number(left) - Number(right));
  const bin = path.join(DEBIAN, versions.at(-1) ?? "", "bin");
  const dir = await mkdtemp(path.join(tmpdir(), "spillway-postgres-"));
  // The server refuses to run as root.
  const asRoot = process.getuid?.() === 0;
  const identity = asRoot ? await identityOf("postgres") : {};
  if (asRoot) await chown(dir, identity.uid, identity.gid);
  const data = path.join(dir, "data");
  const port = await freePort();
  const options = { ...identity, cwd: dir };
  await run(
    path.join(bin, "initdb"),
    ["-D", data, "-U", "spillway", "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );
  const settings = `-c listen_addresses=127.0.0.1 -p ${port} -k ${dir} -c max_connections=200 -c shared_buffers=128MB`;
  await run(
    path.join(bin, "pg_ctl"),
    ["-D", data, "-l", path.join(dir, "log"), "-w", "-o", settings, "start"],
    options,
  );
  const stop = async () => {
    await run(path.join(bin, "pg_ctl"), ["-D", data, "-m", "immediate", "stop"], options).catch(() => {});
    await rm(dir, { recursive: true, force: true });
  };
  return { url: `postgres://spillway@127.0.0.1:${port}/postgres`, stop };
}

async function identityOf(user) {
  const id = async (flag) => Number((await run("id", [flag, user])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
