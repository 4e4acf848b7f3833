import { UsageError } from "../../base/errors.ts";
import { styles } from "../../dialects/index.ts";
import { STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import { plan } from "../../tasks/plan.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { parseRelease } from "../platform-options.ts";
import { describeApis, parseJudging, writeReports } from "../reporting.ts";
import { projectOptions } from "../task-options.ts";

/** `lockflow plan`: reports what an entity schema would change in the APIs and for operations. */
export async function runPlan(context: CommandContext, options: Options<"plan">): Promise<ExitCode> {
  const judging = parseJudging(options);
  const { protocol, style, against } = options;
  const [file] = context.positionals;
  const result = await plan({
    ...projectOptions(context, { config: options.config }),
    ...judging,
    file,
    protocol,
    style,
    against,
    releases: parseReleases(options.release, style),
  });
  await writeReports(context, result.report, {
    ...judging,
    place: result,
    accept: "report",
    head: describeApis(result.apis),
  });
  return result.report.outcome.exit;
}

/** @throws UsageError for a release of no planned platform, or a second one of the same platform. */
function parseReleases(
  names: readonly string[],
  style: StyleName | undefined,
): { readonly [S in StyleName]?: string } {
  const planned = (style === undefined ? STYLE_NAMES : [style]).map((name) => styles[name]);
  const releases: { [S in StyleName]?: string } = {};
  for (const name of names) {
    const { style, release } = parseRelease(name, planned);
    if (releases[style.name] !== undefined) {
      throw new UsageError({ sentence: `--release is given twice for ${style.platform.name}.` });
    }
    releases[style.name] = release;
  }
  return releases;
}
