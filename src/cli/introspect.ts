import { hasWrongIdentity } from "../fleet/failure.ts";
import { type OpenTargets, openTargets } from "../fleet/open-targets.ts";
import type { Outcome } from "../fleet/outcome.ts";
import { secretsOf } from "../fleet/resolve-targets.ts";
import { type IntrospectionRun, runIntrospection } from "../fleet/run-introspection.ts";
import { openProject } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import type { Environment } from "../project/vocabulary.ts";
import { createProgress } from "../report/progress.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./project-options.ts";
import { type DeploymentReport, renderIntrospection } from "./render-introspection.ts";
import { renderUnconfigured } from "./render-unconfigured.ts";

/** `lockflow introspect` */
export async function runIntrospect(
  context: CommandContext,
  options: Options<"introspect">,
): Promise<ExitCode> {
  const project = await openProject(projectOptions(context, options));
  const asking = { environment: options.environment, useEmulator: options.emulator, needsRows: false };
  const opened = await openTargets(project, asking, context.env);
  try {
    context.out(`${opened.description}\n`);
    const run = await introspect(project, opened, options.environment, context);
    return introspectionExitCode(run.outcomes);
  } finally {
    await opened.close();
  }
}

/** Introspects with progress, and reports. */
export async function introspect(
  project: Project,
  opened: OpenTargets,
  environment: Environment | undefined,
  context: CommandContext,
): Promise<IntrospectionRun> {
  const progress = createProgress({
    total: opened.targets.length,
    what: "deployments",
    write: context.err,
    isTerminal: context.isTerminal,
  });
  const run = await runIntrospection(project, opened.targets, ({ deployment }) => {
    progress.advance(deployment.name);
  }).finally(progress.finish);
  context.out(
    `${renderIntrospection(run.outcomes.map(reportOf), run.plan.rows, run.summary, secretsOf(opened.targets))}\n`,
  );
  context.out(renderUnconfigured(opened, { environment }));
  return run;
}

/** A deployment that could not be asked makes the answer 2; one that is another than it should be, 1. */
export function introspectionExitCode(outcomes: readonly Outcome[]): ExitCode {
  const errors = outcomes.flatMap((outcome) => (outcome.kind === "failed" ? [outcome.error] : []));
  if (errors.length === 0) return 0;
  return errors.every(hasWrongIdentity) ? 1 : 2;
}

function reportOf(outcome: Outcome): DeploymentReport {
  const { name } = outcome.deployment;
  return outcome.kind === "failed"
    ? { name, error: outcome.error, hasWrongIdentity: hasWrongIdentity(outcome.error), notes: [] }
    : { name, error: null, hasWrongIdentity: false, notes: outcome.notes };
}
