// Preloaded into what `bench/protocols.mjs` times: leaves the milliseconds of processor time that the process took.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_TIME, String((user + system) / 1000));
});
