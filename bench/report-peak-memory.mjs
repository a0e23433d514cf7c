import { writeFileSync } from "node:fs";

// Loaded into a measured process with `node --import`: leaves its peak memory in a file, in MB.
process.on("exit", () => {
  writeFileSync(process.env.BENCH_PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS / 1024));
});
