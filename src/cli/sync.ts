import { join } from "node:path";
import { compareStyles } from "../drift/compare-styles.ts";
import { hasWrongIdentity } from "../fleet/failure.ts";
import { openTargets } from "../fleet/open-targets.ts";
import type { IntrospectionRun } from "../fleet/run-introspection.ts";
import { openProject } from "../project/open-project.ts";
import { renderParityText } from "../report/render-parity.ts";
import { readSnapshots } from "../snapshots/read-snapshots.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { generate } from "./generate.ts";
import { introspect, introspectionExitCode } from "./introspect.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./project-options.ts";
import { showcase } from "./showcase.ts";

/**
 * `lockflow sync`: the whole job. Deployments that fail do not stop it, because their snapshots are as they were;
 * the exit code is the worst of its steps'.
 */
export async function runSync(context: CommandContext, options: Options<"sync">): Promise<ExitCode> {
  const project = await openProject(projectOptions(context, options));
  const asking = { environment: options.environment, useEmulator: options.emulator, needsRows: true };
  const opened = await openTargets(project, asking, context.env);
  try {
    context.out(`${opened.description}\n`);
    heading(context, "1. Introspect: every deployment is asked for its schema");
    const run = await introspect(project, opened, options.environment, context);
    const introspected = introspectionExitCode(run.outcomes);

    heading(context, "2. Diff: what the two styles of each protocol have in common");
    const parities = compareStyles(
      project.protocols,
      await readSnapshots(join(project.root, project.output), project.surfaces),
    );
    context.out(
      parities.length > 0
        ? `${renderParityText(parities)}\n`
        : "No protocol has a snapshot in both styles, so there is nothing to compare.\n",
    );

    heading(context, "3. Generate: typed operations and a manifest of chains and endpoints");
    const generated = await generate(project, context);

    if (generated === 0) {
      heading(context, "4. Run: one generated operation, asked of both styles");
      await showcase(project, opened.targets, context);
    }
    heading(context, "In short");
    context.out(renderSummary(run, generated, project.output));
    return Math.max(introspected, generated) as ExitCode;
  } finally {
    await opened.close();
  }
}

function renderSummary({ outcomes, summary }: IntrospectionRun, generated: ExitCode, output: string): string {
  const answered = outcomes.filter(({ kind }) => kind === "introspected").length;
  const others = outcomes.flatMap((outcome) =>
    outcome.kind === "failed" && hasWrongIdentity(outcome.error) ? [outcome.deployment.name] : [],
  );
  const moved = summary.written.length + summary.removed.length;
  return [
    ...(others.length === 0
      ? []
      : [`  Not what the manifest says: ${others.join(", ")}. Correct the URL, and run it again.`]),
    `  ${answered} of ${outcomes.length} deployments answered; ${moved === 0 ? "no snapshot changed" : `${moved} snapshot files changed`}.`,
    generated === 0
      ? `  ${output}/ is current: import from it, commit it, and run \`lockflow check\` in CI.`
      : "  Nothing was generated: correct the operations and run `lockflow generate`.",
    "",
  ].join("\n");
}

function heading(context: CommandContext, text: string): void {
  context.out(`\n${text}\n`);
}
