import { basename, dirname, resolve } from "node:path";
import { readText } from "../../base/read-files.ts";
import { writeFiles } from "../../base/write-files.ts";
import { drift } from "../../tasks/drift.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { parseJudging } from "../reporting.ts";
import { askingOptions, renderUnconfigured } from "../task-options.ts";

/** `lockflow drift`: compares the live schemas with the snapshots, and reports the health of the deployments. */
export async function runDrift(context: CommandContext, options: Options<"drift">): Promise<ExitCode> {
  const { cwd, err } = context;
  const { environment, memory: file, update } = options;
  const judging = parseJudging(options);
  if (judging.failOnHealth && file === undefined) err(NO_MEMORY);
  const kept = file === undefined ? null : await readText(resolve(cwd, file));
  const { report, memory, held, isAdaptable, ...place } = await drift({
    ...askingOptions(context, options),
    ...judging,
    update,
    memory: kept ?? undefined,
    memoryPath: file,
    // Not on standard output: the report there may be read by a program.
    onAsking: (asking) => err(`${asking.description}\n${renderUnconfigured(asking, environment)}`),
  });
  const { moved } = report;
  if (moved)
    err(
      moved.length === 0
        ? "No snapshot changed.\n"
        : `${moved.length} snapshot ${moved.length === 1 ? "file" : "files"} changed.\n`,
    );
  for (const surface of held)
    err(`The snapshots of ${surface} were not updated: too few deployments answered.\n`);
  const { writeReports } = await import("../reporting.ts");
  const next = isAdaptable ? [...(update ? [] : ["lockflow drift --update"]), "lockflow adapt"] : [];
  await writeReports(context, report, { ...judging, place, accept: "report", next });
  if (file !== undefined && memory !== null) {
    const path = resolve(cwd, file);
    await writeFiles(dirname(path), [{ path: basename(path), content: memory }]);
  }
  return report.outcome.exit;
}

const NO_MEMORY =
  "Without --memory, --fail-on-health only detects that all deployments are stuck: dead deployments, and single stuck ones, are found by comparing runs.\n";
