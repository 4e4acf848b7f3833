// `npm run test:platforms`: the suites that compare the emulator with the platforms themselves.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isSupported } from "../packages/graph-node/src/index.ts";

const FOLDER = "packages/graph-node";

if (!isSupported()) {
  process.stdout.write(
    `skipped: graph-node and PostgreSQL are published for Linux on x64 with glibc only, and this is ${process.platform}-${process.arch}.\n`,
  );
} else {
  if (!existsSync(`${FOLDER}/node_modules`))
    run("npm", ["ci", "--prefix", FOLDER, "--ignore-scripts", "--loglevel=error"]);
  process.stdout.write(`seed: ${process.env["SEED"] ?? "1"}\n`);
  run("npx", ["vitest", "run", "--config", "vitest.platforms.config.ts", ...process.argv.slice(2)]);
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
