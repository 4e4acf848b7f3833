// Times how long `lockflow generate --watch` takes from the edit of an operation to the written output, beside a whole
// run of the stock CLI on the same operations. Run `npm run build` first; `npm run bench` does both.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeDocuments } from "./write-documents.mjs";

const EDITS = Number(process.env.BENCH_EDITS ?? 20);
const STOCK_RUNS = Number(process.env.BENCH_ROUNDS ?? 7);
const LIMIT = 0.15;
const root = new URL("..", import.meta.url).pathname;
const cli = join(root, "dist/cli.js");
const codegen = join(root, "node_modules/@graphql-codegen/cli/esm/bin.js");
const operation = "operations/lockup/subgraph/health.graphql";
const output = "generated/lockup/subgraph.strings.ts";

if (!existsSync(cli)) throw new Error("dist/cli.js does not exist: run `npm run build` first.");

const tree = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
for (const entry of ["operations", "generated", "bench", "package.json", "lockflow.config.ts"]) {
  cpSync(join(root, entry), join(tree, entry), { recursive: true });
}
await writeDocuments(join(tree, "bench/documents"));
symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function stockSeconds() {
  rmSync(join(tree, "bench/out"), { recursive: true, force: true });
  const start = performance.now();
  const child = spawn(process.execPath, [codegen, "--config", "bench/stock-codegen.ts"], {
    cwd: tree,
    stdio: "ignore",
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The stock CLI ended with ${code}.`);
  return (performance.now() - start) / 1000;
}

/** Returns the seconds until the output contains the result of this edit. */
async function editSeconds(text, edit) {
  const selection = `edit${edit}: deployment`;
  const start = performance.now();
  writeFileSync(
    join(tree, operation),
    text.replace("    deployment\n", (line) => `    ${selection}\n${line}`),
  );
  while (!readFileSync(join(tree, output), "utf8").includes(selection)) {
    if (performance.now() - start > 30_000) throw new Error("The watch wrote nothing for 30 s.");
    await pause(1);
  }
  return (performance.now() - start) / 1000;
}

const watch = spawn(process.execPath, [cli, "generate", "--watch"], {
  cwd: tree,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  await new Promise((resolve, reject) => {
    let text = "";
    watch.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("Watching ")) resolve();
    });
    pause(60_000).then(() => reject(new Error(`The watch did not begin; it printed:\n${text}`)));
  });
  const text = readFileSync(join(tree, operation), "utf8");
  const edits = [];
  for (let edit = 1; edit <= EDITS; edit++) {
    // Not in step with the polls.
    await pause(150 + ((edit * 37) % 100));
    edits.push(await editSeconds(text, edit));
  }
  const stopped = new Promise((resolve) => watch.once("close", resolve));
  watch.kill("SIGINT");
  if ((await stopped) !== 0) throw new Error("The watch did not end with 0.");
  await stockSeconds();
  const stock = [];
  for (let run = 0; run < STOCK_RUNS; run++) stock.push(await stockSeconds());
  const ratio = median(edits) / median(stock);
  console.log(
    `watch, edit to written output, against a run of the stock CLI\n  ours ${median(edits).toFixed(3)} s (${Math.min(...edits).toFixed(3)} to ${Math.max(...edits).toFixed(3)}); peer ${median(stock).toFixed(3)} s\n  time ratio ${ratio.toFixed(3)} (${ratio <= LIMIT ? "within" : "OVER"} ${LIMIT})`,
  );
} finally {
  watch.kill("SIGKILL");
  rmSync(tree, { recursive: true, force: true });
}
