// Loaded into a measured process: leaves its peak memory, in megabytes, in the file that BENCH_MEMORY names.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  if (process.env.BENCH_MEMORY) {
    writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS / 1024));
  }
});
