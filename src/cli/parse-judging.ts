import { UsageError } from "../base/errors/usage-error.ts";
import { parseRequirement } from "../compare/require.ts";
import type { JudgingRules } from "../drift/judge-run.ts";
import { resolveJudging } from "../drift/resolve-judging.ts";
import { RENDERERS } from "../report/forms/index.ts";
import { parseReports, type RequestedReport } from "../report/parse-reports.ts";
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
      details: reports.some(({ form }) => RENDERERS[form].showsDetails === true),
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
    hint: `write --report ${report},json.`,
  });
}
