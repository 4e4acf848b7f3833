// Exports once, as a process that may be killed. Prints a line before it begins.
import { CHAINS, createRuns, runExport } from "./lake.ts";
import { createTruth, type Step } from "./truth.ts";

const [root = "", steps = "[]"] = process.argv.slice(2);
const truth = createTruth(CHAINS);
for (const step of JSON.parse(steps) as Step[]) truth.step(step);
const runs = await createRuns(root, truth);
process.stdout.write("begins\n");
for (const run of runs) await runExport(run);
