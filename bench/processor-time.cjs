// Preloaded into the processes of `bench/protocols.mjs`: writes their processor time in milliseconds to a file.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_TIME, String((user + system) / 1000));
});
