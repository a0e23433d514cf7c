/** A Ceph cluster with a RADOS Gateway on loopback: one monitor, one manager, three OSDs of files, size 2. */
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const OSDS = [0, 1, 2];

/** Starts a cluster of its own and waits until its gateway answers. */
export async function startCeph() {
  const dir = await mkdtemp(path.join(tmpdir(), "spillway-ceph-"));
  const [monitor, gateway] = [await freePort(), await freePort()];
  const config = path.join(dir, "ceph.conf");
  const keyring = path.join(dir, "keyring");
  const fsid = randomUUID();
  await writeFile(config, configText({ dir, fsid, monitor, gateway, keyring }));
  for (const name of ["mon", "mgr", "crash", ...OSDS.map((id) => `osd${id}`)]) await mkdir(path.join(dir, name));
  await run("ceph-authtool", ["--create-keyring", keyring, ...key("mon.", "mon")]);
  for (const name of ["client.admin", "client.rgw", "mgr.x", ...OSDS.map((id) => `osd.${id}`)])
    await run("ceph-authtool", [keyring, ...key(name, "mon", "osd", "mgr")]);

  const monmap = path.join(dir, "monmap");
  await run("monmaptool", ["--create", "--fsid", fsid, "--addv", "a", `[v2:127.0.0.1:${monitor}]`, monmap]);
  await run("ceph-mon", ["-c", config, "--mkfs", "-i", "a", "--monmap", monmap, "--keyring", keyring]);
  /** @type {Map<string, import("node:child_process").ChildProcess>} */
  const daemons = new Map();
  const start = (name, program, ...args) => {
    const child = spawn(program, ["-c", config, "-f", ...args], { stdio: "ignore", detached: true });
    daemons.set(name, child);
  };
  const ceph = (...args) => run("ceph", ["-c", config, "--connect-timeout", "20", ...args], { timeout: 60_000 });
  const startOsd = (id) => start(`osd.${id}`, "ceph-osd", "-i", String(id));
  const end = async (name, signal) => {
    const child = daemons.get(name);
    daemons.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    await Promise.all([...daemons.keys()].map((name) => end(name, "SIGKILL")));
    await rm(dir, { recursive: true, force: true });
  };
  process.once("exit", () => {
    for (const child of daemons.values()) child.kill("SIGKILL");
  });
  try {
    start("mon", "ceph-mon", "-i", "a");
    start("mgr", "ceph-mgr", "-i", "x");
    await Promise.all(
      OSDS.map(async (id) => {
        const uuid = randomUUID();
        await ceph("osd", "new", uuid, String(id));
        await run("ceph-osd", ["-c", config, "-i", String(id), "--mkfs", "--osd-uuid", uuid]);
        startOsd(id);
      }),
    );
    start("rgw", "radosgw", "-n", "client.rgw");
    const endpoint = `http://127.0.0.1:${gateway}`;
    await answering(endpoint, () => readFile(path.join(dir, "client.rgw.log"), "utf8"));
    const [accessKeyId, secretAccessKey] = ["SPILLWAYTESTKEY", randomUUID()];
    const user = [
      "--uid=test",
      "--display-name=test",
      `--access-key=${accessKeyId}`,
      `--secret-key=${secretAccessKey}`,
    ];
    await run("radosgw-admin", ["-c", config, "-n", "client.rgw", "user", "create", ...user], { timeout: 60_000 });
    return {
      endpoint,
      accessKeyId,
      secretAccessKey,
      stop,
      /** Process ids of the OSDs, for those who kill one. */
      osds: OSDS.map((id) => daemons.get(`osd.${id}`)?.pid),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function key(name, ...services) {
  return ["--gen-key", "-n", name, ...services.flatMap((service) => ["--cap", service, "allow *"])];
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answering(endpoint, readLog) {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(endpoint).catch(() => undefined);
    await answer?.text();
    if (answer?.status === 200) return;
    await sleep(400);
  }
  const log = await readLog().catch(() => "");
  throw new Error(`the gateway did not answer within 2 minutes: ${log.slice(-500)}`);
}

function configText({ dir, fsid, monitor, gateway, keyring }) {
  return `[global]
fsid = ${fsid}
keyring = ${keyring}
mon host = v2:127.0.0.1:${monitor}/0
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
run dir = ${dir}
admin socket = ${dir}/$name.asok
log file = ${dir}/$name.log
log to stderr = false
mon cluster log file = ${dir}/cluster.log
crash dir = ${dir}/crash
mon data = ${dir}/mon
mgr data = ${dir}/mgr
osd data = ${dir}/osd$id
auth allow insecure global id reclaim = false
osd pool default size = 2
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 1
bluestore block size = 10737418240
bluestore block create = true
osd memory target = 939524096
osd heartbeat grace = 6
mon osd min down reporters = 1
mon osd down out interval = 600
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw enable usage log = false
rgw enable ops log = false
rgw thread pool size = 64
`;
}
