import { isAbsolute, relative, resolve } from "node:path";
import { listSome } from "../base/clean-text.ts";
import { groupBy } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import { displayText, shellArgument } from "../base/text.ts";
import { writeNamedFile } from "../base/write-files.ts";
import { parseRequirement } from "../compare/decide-outcome.ts";
import { type JudgingRules, resolveJudging } from "../compare/judge-run.ts";
import type { ProjectPlace } from "../project/load-project.ts";
import { FORMS, type Form, parseReports, type RequestedReport, showsDetails } from "../report/forms/index.ts";
import type { PlannedApi, RenderOptions, Report } from "../report/report.ts";
import { renderTable } from "../report/terminal.ts";
import type { FleetReport } from "../tasks/diff.ts";
import { FLEET_RECORD_PATH } from "../workspace/fleet-record.ts";
import type { CommandContext } from "./context.ts";
import type { JudgingOptions } from "./options.ts";

/** How to judge and where to report, as the flags say. Parsed before anything is done. */
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
 * The forms that the flags ask for, as `--report` has them.
 *
 * @throws UsageError when the flags say two things of what to report.
 */
export function reportForms({ report, json }: Pick<JudgingOptions, "report" | "json">): string {
  if (!json) return report ?? "text";
  if (report === undefined) return "json";
  if (report.split(",").some((form) => form.trim() === "json")) return report;
  throw new UsageError({
    sentence: "--json is --report json, and --report is given too.",
    hint: `write --report ${shellArgument(`${report},json`)}.`,
  });
}

/** Changes a rendered report: a command can have more to show than a report contains. */
export type Decorate = (form: Form, text: string) => string;

/** How reports are rendered and where their files belong. */
export type WriteOptions = Pick<Judging, "reports" | "verbose"> &
  Pick<RenderOptions, "accept"> & {
    readonly place: ProjectPlace;
    /** @default no change */
    readonly decorate?: Decorate;
  };

/** Writes every requested report. */
export async function writeReports(
  context: CommandContext,
  report: Report,
  { place, reports, verbose, accept, decorate = (_, text) => text }: WriteOptions,
): Promise<void> {
  const anchor = `${place.output}/${FLEET_RECORD_PATH}`;
  const folder = folderInCheckout(place.root, context.env["GITHUB_WORKSPACE"]);
  for (const { form, file, stream } of reports) {
    const color = file === null && context.colors?.[stream] === true;
    const { render } = await FORMS[form].load();
    const text = decorate(form, render(report, { color, verbose, anchor, folder, accept }));
    // The GitHub form consists of commands of a log, and escapes those in texts itself.
    const streams = form === "github" ? context.asIs : context;
    if (file === null) streams[stream](text);
    else await writeNamedFile(resolve(context.cwd, file), text);
  }
}

/** Where a project lies in a checkout: GitHub shows nothing at a path that is not from there. */
function folderInCheckout(root: string, checkout: string | undefined): string {
  if (!checkout) return "";
  const folder = relative(checkout, root).replaceAll("\\", "/");
  return folder === "" || folder.startsWith("..") || isAbsolute(folder) ? "" : `${folder}/`;
}

/** A fleet in a line: how many serve how many schemas; and a line for operations that cannot run in the same places. */
export function describeFleet({ groups, operations }: FleetReport): string[] {
  const [first] = groups;
  const count = groups.reduce((sum, { deployments }) => sum + deployments.length, 0);
  if (first === undefined || count < 2) return [];
  const schemas = new Set(groups.map(({ id }) => id)).size;
  const otherWords = groups.filter(({ kind }) => kind === "docs").flatMap(({ deployments }) => deployments);
  const serve = schemas === 1 ? "serve one schema" : `serve ${schemas} schemas`;
  const words = otherWords.length === 0 ? "" : `, ${otherWords.length} of them with other descriptions`;
  const limited = groupBy(
    operations.filter(({ missing }) => missing.length > 0),
    ({ chains, missing }) =>
      chains.length === 0
        ? "on any chain: `lockflow check` tells why"
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

/** Describes what a plan derived, an API a line. */
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
  snapshot: "by the snapshot",
  caller: "by --release",
  definition: "by the definition",
  default: "the default",
};
