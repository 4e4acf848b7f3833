import { isAbsolute, relative, resolve } from "node:path";
import { listSome } from "../base/clean-text.ts";
import { groupBy } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import { displayText, shellArgument } from "../base/text.ts";
import { writeNamedFile } from "../base/write-files.ts";
import { parseRequirement } from "../compare/decide-outcome.ts";
import { type JudgingRules, resolveJudging } from "../compare/judge-run.ts";
import type { ProjectPlace } from "../project/load-project.ts";
import { FORMS, parseReports, type RequestedReport, showsDetails } from "../report/forms/index.ts";
import type { PlannedApi, RenderOptions, Report } from "../report/report.ts";
import { renderTable } from "../report/terminal.ts";
import type { FleetReport } from "../tasks/diff.ts";
import { FLEET_RECORD_PATH } from "../workspace/fleet-record.ts";
import type { CommandContext } from "./context.ts";
import type { JudgingOptions } from "./options.ts";

/** How to judge findings and where to write reports. Parsed before the run starts. */
export type Judging = JudgingRules & {
  readonly reports: readonly RequestedReport[];
  readonly verbose: boolean;
};

/** @throws UsageError */
export function parseJudging(
  options: JudgingOptions & { readonly require?: string | undefined; readonly failOnHealth?: boolean },
): Judging {
  const { require, verbose } = options;
  const reports = parseReports(reportForms(options));
  return {
    ...resolveJudging({
      ...options,
      require: require === undefined ? undefined : parseRequirement(require),
      details: showsDetails(reports),
    }),
    reports,
    verbose,
  };
}

/**
 * Returns the requested forms as a value of `--report`.
 *
 * @throws UsageError if --json contradicts --report.
 */
export function reportForms({ report, json }: Pick<JudgingOptions, "report" | "json">): string {
  if (!json) return report ?? "text";
  if (report === undefined) return "json";
  if (report.split(",").some((form) => form.trim() === "json")) return report;
  throw new UsageError({
    sentence: "--json means --report json, but --report names other forms.",
    hint: `write --report ${shellArgument(`${report},json`)}.`,
  });
}

/** The options of `writeReports`. */
export type WriteOptions = Pick<Judging, "reports" | "verbose"> &
  Pick<RenderOptions, "accept" | "next"> & {
    readonly place: ProjectPlace;
    /** The facts of a command, above the text form. @default none */
    readonly head?: string;
  };

/** Writes every requested report. */
export async function writeReports(
  context: CommandContext,
  report: Report,
  { place, reports, verbose, accept, next, head = "" }: WriteOptions,
): Promise<void> {
  const anchor = `${place.output}/${FLEET_RECORD_PATH}`;
  const folder = folderInCheckout(place.root, context.env["GITHUB_WORKSPACE"]);
  for (const { form, file, stream } of reports) {
    const color = file === null && context.colors?.[stream] === true;
    const { render } = await FORMS[form].load();
    const rendered = render(report, { color, verbose, anchor, folder, accept, next });
    const text = form === "text" && head !== "" ? `${head}\n\n${rendered}` : rendered;
    // The GitHub form is made of log commands, and escapes texts itself.
    const streams = form === "github" ? context.asIs : context;
    if (file === null) streams[stream](text);
    else await writeNamedFile(resolve(context.cwd, file), text);
  }
}

/** Returns the folder of a project in its checkout: annotations of GitHub need paths from there. */
function folderInCheckout(root: string, checkout: string | undefined): string {
  if (!checkout) return "";
  const folder = relative(checkout, root).replaceAll("\\", "/");
  return folder === "" || folder.startsWith("..") || isAbsolute(folder) ? "" : `${folder}/`;
}

/** Describes a fleet: a line with the number of schemas, and one for each set of operations that are invalid on the same chains. */
export function describeFleet({ groups, operations }: FleetReport): string[] {
  const [first] = groups;
  const count = groups.reduce((sum, { deployments }) => sum + deployments.length, 0);
  if (first === undefined || count < 2) return [];
  const schemas = new Set(groups.map(({ id }) => id)).size;
  const redescribed = groups.filter(({ kind }) => kind === "docs").flatMap(({ deployments }) => deployments);
  const serve = schemas === 1 ? "serve one schema" : `serve ${schemas} schemas`;
  const words = redescribed.length === 0 ? "" : `, ${redescribed.length} of them with other descriptions`;
  const limited = groupBy(
    operations.filter(({ missing }) => missing.length > 0),
    ({ chains, missing }) =>
      chains.length === 0
        ? "on any chain: `lockflow check` lists the errors"
        : `on ${listSome(missing, MOST_NAMED)}`,
  );
  return [
    `${first.protocol}: ${count} ${first.style} deployments ${serve}${words}`,
    ...[...limited].map(([where, same]) => {
      const names = same.map(({ name }) => name);
      return `  not valid ${where}: ${listSome(names, MOST_NAMED)}`;
    }),
  ];
}

const MOST_NAMED = 3;

/** Describes the APIs that a plan derived, one per line. */
export function describeApis(apis: readonly PlannedApi[]): string {
  return renderTable(
    apis.map(({ protocol, style, entities, release, releaseFrom, before, status }) => [
      `${protocol}/${style}`,
      `from ${displayText(entities, [])}`,
      `as ${release} (${SOURCES[releaseFrom]})`,
      status === "compared" ? `against ${displayText(before, [])}` : status,
    ]),
  );
}

const SOURCES: Readonly<Record<PlannedApi["releaseFrom"], string>> = {
  snapshot: "from the snapshot",
  caller: "from --release",
  definition: "from the definition",
  default: "the default",
};
