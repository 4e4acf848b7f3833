import { UsageError } from "../../base/errors.ts";
import { shellArgument } from "../../base/text.ts";
import { EXAMPLE_SURFACE } from "../../project/protocols.ts";
import { renderParityCounts } from "../../report/render-parity.ts";
import { type DiffResult, diff } from "../../tasks/diff.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { describeFleet, type Judging, parseJudging, writeReports } from "../reporting.ts";
import { isNarrowed, projectOptions, renderLeftOut } from "../task-options.ts";

/** `lockflow diff`: compares the styles and the fleets from the snapshots, or any two schemas. */
export async function runDiff(context: CommandContext, options: Options<"diff">): Promise<ExitCode> {
  const judging = withTerminal(parseJudging(options));
  const [before, after] = context.positionals;
  if (before !== undefined && after === undefined) {
    throw new UsageError({
      sentence: "`lockflow diff` needs two schemas, <before> and <after>, or none.",
      hint: `for example: lockflow diff main:${EXAMPLE_SURFACE} ${shellArgument(before)}`,
    });
  }
  if (before !== undefined && isNarrowed(options)) {
    throw new UsageError({
      sentence: "--protocol, --style and --chain cannot be combined with two schemas: they select snapshots.",
    });
  }
  const isOfTwo = before !== undefined && after !== undefined;
  const result = await diff({
    ...projectOptions(context, options),
    ...judging,
    env: context.env,
    schemas: isOfTwo ? [before, after] : undefined,
  });
  const accept = isOfTwo ? "never" : "snapshots";
  await writeReports(context, result.report, {
    ...judging,
    place: result,
    accept,
    head: renderHead(result),
  });
  return result.report.outcome.exit;
}

/** Adds a text report on standard output if every report goes to a file. */
function withTerminal(judging: Judging): Judging {
  const { reports } = judging;
  if (reports.some(({ file }) => file === null)) return judging;
  return { ...judging, reports: [{ form: "text", file: null, stream: "out" }, ...reports] };
}

/** Renders counts, schema names and fleets. */
function renderHead({ parities, fleets, schemas, leftOut }: DiffResult): string {
  const counts = parities === null || parities.length === 0 ? [] : [renderParityCounts(parities)];
  const names = schemas.length === 0 ? [] : [schemas.join(" → ")];
  const facts = [...counts, ...names, ...fleets.flatMap(describeFleet)];
  return (facts.map((fact) => `${fact}\n`).join("") + renderLeftOut(leftOut)).trimEnd();
}
