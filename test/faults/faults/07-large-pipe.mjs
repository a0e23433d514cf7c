import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sha256Of, startSpillway } from "../support.mjs";

export const fault = "gigabytes through `pipe`, in bounded memory";

const GIGABYTE = 1024 ** 3;
const MOST_MEMORY_MB = 260;

export async function run({ long, folder, project }) {
  const bytes = (long ? 20 : 2) * GIGABYTE;
  const source = spawn(
    "sh",
    ["-c", `yes 'a line that a tool prints again and again, with a number' | head -c ${bytes}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const { child, ended } = startSpillway(project, ["pipe", "--json", "--root", folder], { cwd: folder });
  const hash = createHash("sha256");
  let peakMb = 0;
  const watch = setInterval(() => {
    const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readStatus(child.pid)) ?? [];
    peakMb = Math.max(peakMb, Number(kilobytes) / 1024);
  }, 200);
  for await (const chunk of source.stdout) {
    hash.update(chunk);
    if (!child.stdin.write(chunk)) await new Promise((resolve) => child.stdin.once("drain", resolve));
  }
  child.stdin.end();
  const { out, exitCode, err } = await ended;
  clearInterval(watch);
  if (exitCode !== 0) throw new Error(`ended with ${exitCode}: ${err}`);
  const same = (await sha256Of(JSON.parse(out).artifact_path)) === hash.digest("hex");
  const note = `${bytes / GIGABYTE} GB, at most ${Math.round(peakMb)} MB of memory`;
  return { tries: 1, lostBytes: same ? 0 : bytes, leaks: peakMb > MOST_MEMORY_MB ? 1 : 0, note };
}

function readStatus(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
