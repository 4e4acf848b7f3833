import { basename, dirname, resolve } from "node:path";
import { readText } from "../base/read-files.ts";
import { writeFiles } from "../base/write-files.ts";
import { drift } from "../tasks/drift.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { parseJudging } from "./reporting.ts";
import { askingOptions, renderUnconfigured } from "./task-options.ts";

/** `lockflow drift`: what is served now against the snapshots, and who serves it and how. */
export async function runDrift(context: CommandContext, options: Options<"drift">): Promise<ExitCode> {
  const { cwd, err } = context;
  const { environment, memory: file, update } = options;
  const judging = parseJudging(options);
  if (judging.failOnHealth && file === undefined) err(FORGETFUL);
  const kept = file === undefined ? null : await readText(resolve(cwd, file));
  const { report, memory, held, ...place } = await drift({
    ...askingOptions(context, options),
    ...judging,
    update,
    memory: kept ?? undefined,
    memoryPath: file,
    // Results go out alone: a report may be for a program.
    onAsking: (asking) => err(`${asking.description}\n${renderUnconfigured(asking, environment)}`),
  });
  const { moved } = report;
  if (moved) err(moved.length === 0 ? "No snapshot moved.\n" : `${moved.length} files of snapshots moved.\n`);
  for (const surface of held) err(`Those of ${surface} stay: too few answered.\n`);
  const { writeReports } = await import("./reporting.ts");
  await writeReports(context, report, { ...judging, place, accept: "report" });
  if (file !== undefined && memory !== null) {
    const path = resolve(cwd, file);
    await writeFiles(dirname(path), [{ path: basename(path), content: memory }]);
  }
  return report.outcome.exit;
}

/** Said to whoever asks for a verdict that one run cannot give. */
const FORGETFUL =
  "Without --memory no deployment is known to be dead, and to be stuck only where all are: --fail-on-health fails for no other.\n";
