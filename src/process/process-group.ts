import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { PLATFORM } from "../platform/platform.ts";
import { listProcesses } from "./process-family.ts";

const POLL_MS = 20;

const live = new Set<number>();
let watching = false;

/** Ends the group with us if we exit first; call the result after it has ended by itself. */
export function trackGroup(pid: number): () => void {
  if (!watching) {
    watching = true;
    process.once("exit", () => {
      for (const group of live) signalGroup(group, "SIGKILL");
    });
  }
  live.add(pid);
  return () => live.delete(pid);
}

/** Asks the child and, if it leads its own session, its whole group to end; kills after `graceMs`. */
export async function endGroup(child: ChildProcess, leadsGroup: boolean, graceMs: number): Promise<void> {
  const pid = child.pid as number;
  const send = (signal: NodeJS.Signals | 0) => (leadsGroup ? signalGroup(pid, signal) : child.kill(signal));
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const gone = () => ended() && (!leadsGroup || !send(0) || onlyZombies(pid));
  send("SIGTERM");
  for (const end = performance.now() + graceMs; performance.now() < end; await sleep(POLL_MS)) {
    if (gone()) return;
  }
  send("SIGKILL");
}

/** Signals every process of a group; false if none is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(PLATFORM.hasProcessGroups ? -pid : pid, signal);
  } catch {
    return false;
  }
}

/** True if no process of the group is running; an orphan that its new parent never reaps stays visible for ever. */
function onlyZombies(group: number): boolean {
  return PLATFORM.hasProc && listProcesses().every((entry) => entry.group !== group);
}
