import { UsageError } from "../base/errors.ts";
import { type OutputFile, writeFiles } from "../base/write-files.ts";
import { introspectTargets } from "../fleet/introspect-targets.ts";
import { withTargets } from "../fleet/open-targets.ts";
import { planSnapshots } from "../fleet/plan-snapshots.ts";
import type { Project } from "../project/project.ts";
import { detectLayout } from "../tasks/init/detect-layout.ts";
import { detectRepository, type Place, surveyPlace } from "../tasks/init/detect-repository.ts";
import { isEmptyPlan, renderNextSteps, renderPlan } from "../tasks/init/render-next-steps.ts";
import { fromPackage, placesOf, planInit } from "../tasks/init.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";

/** `lockflow init`: looks, shows what it will write, asks once, and writes all of it or nothing. */
export async function runInit(context: CommandContext, options: Options<"init">): Promise<ExitCode> {
  const { yes } = options;
  const { repository, layout, project, plan } = await survey(context, options);
  context.out(`${renderPlan(repository, plan)}\n`);
  if (isEmptyPlan(plan)) {
    context.out(`Everything is there. \`${repository.packageManager.exec} --help\` shows the commands.\n`);
    return 0;
  }
  if (!yes) {
    if (!context.ask) {
      context.err(`Nothing was written. \`${repository.packageManager.exec} init --yes\` writes it.\n`);
      return 2;
    }
    const answer = await context.ask("Write it? [Y/n] ");
    if (!/^\s*(y|yes)?\s*$/i.test(answer ?? "no")) {
      context.out("Nothing was written.\n");
      return 0;
    }
    // Somebody may have worked on while the question stood there, and nothing of that is overwritten.
    if (JSON.stringify(plan) !== JSON.stringify((await survey(context, options)).plan)) {
      throw new UsageError({
        sentence: "The repository has changed since the list was shown. Nothing was written.",
        hint: "run the command again.",
      });
    }
  }
  const snapshots = plan.snapshots === null ? [] : await introspectReference(project);
  const files = [
    ...plan.files,
    ...snapshots.map(({ path, content }) => ({
      path: fromPackage(repository, `${layout.output}/${path}`),
      content,
    })),
    ...(plan.configFile ? [plan.configFile] : []),
    ...(plan.packageFile ? [plan.packageFile] : []),
  ];
  await writeFiles(repository.root, files);
  context.out(`Wrote ${files.length} files.\n\n${renderNextSteps(repository, layout, plan)}`);
  return 0;
}

async function survey(context: CommandContext, options: Options<"init">) {
  const repository = await detectRepository(context.cwd, context.env["npm_config_user_agent"]);
  const { layout, project } = await detectLayout(repository, options);
  const places = new Map<string, Place>();
  for (const path of placesOf(repository, layout)) {
    places.set(path, await surveyPlace(repository.root, path));
  }
  return { repository, layout, project, plan: planInit(repository, layout, places) };
}

/** The snapshots of the reference indexers, which the emulator serves: there is no host to ask yet. */
function introspectReference(project: Project): Promise<readonly OutputFile[]> {
  const { root: cwd, deployments, follow } = project;
  return withTargets(project, { cwd, env: {}, emulator: true }, async ({ targets }) => {
    const outcomes = await introspectTargets(targets, project, [], () => {});
    for (const outcome of outcomes) if (outcome.kind === "failed") throw outcome.error;
    return planSnapshots({ rows: [], snapshots: [], deployments, outcomes, follow }).files;
  });
}
