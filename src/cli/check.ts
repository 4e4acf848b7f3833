import { hashBaseline, NOTHING_ACCEPTED, readBaseline } from "../drift/baseline/read-baseline.ts";
import { type CheckedRepository, checkRepository } from "../drift/check-repository.ts";
import { judgeEntries } from "../drift/judge-entries.ts";
import { findInterrupted } from "../generate/find-interrupted.ts";
import {
  type CachedGeneration,
  isChecked,
  readGenerationCache,
  writeGenerationCache,
} from "../generate/generation-cache.ts";
import { type GenerationInputs, readGenerationInputs } from "../generate/generation-inputs.ts";
import { findProject } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import { projectOptions } from "./api-options.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { isGiven } from "./option.ts";
import type { Options } from "./options.ts";

/**
 * `lockflow check`: the offline gate. The same pipeline as `generate` with a comparing writer, the snapshots, what the
 * styles agree in, what was accepted and, with --against, what the operations mean beside a git ref.
 */
export async function runCheck(context: CommandContext, options: Options<"check">): Promise<ExitCode> {
  const startedAt = Date.now();
  // Nobody has to be told how to judge what nothing was found in.
  const { config, against, ...judgingOptions } = options;
  const isPlain = against === undefined && !Object.values(judgingOptions).some(isGiven);
  const judging = isPlain ? null : (await import("./parse-judging.ts")).parseJudging(options);
  const project = await findProject(projectOptions(context, { config }));
  const interrupted = await findInterrupted(project);
  const known = interrupted.length === 0 ? await readKnown(project, startedAt) : null;
  if (isPlain && known !== null && (await isKnownToBeClean(project, known))) {
    context.out(CLEAN);
    return 0;
  }
  // Of files that do not belong together nothing else is worth telling.
  const checked =
    known === null
      ? { findings: interrupted, generated: [], schemaFiles: [], isSpoilt: true }
      : await checkRepository(project, known.inputs, known.cache);
  if (isPlain && known?.baseline === NOTHING_ACCEPTED && checked.findings.length === 0) {
    await remember(project, known, checked);
    context.out(CLEAN);
    return 0;
  }
  const { judgeRun } = await import("../drift/judge-run.ts");
  const how = judging ?? (await import("./parse-judging.ts")).parseJudging(options);
  const compared =
    against === undefined || checked.isSpoilt
      ? null
      : await (await import("../drift/compare-with-ref.ts")).compareWithRef(project, against, how);
  const accept = against === undefined ? "snapshots" : "report";
  // A spoilt snapshot tells nothing of parity, so nothing that was accepted of it is stale.
  const categories = ["generated", "operation", "snapshot", ...(checked.isSpoilt ? [] : ["parity"])];
  const report = judgeRun(
    {
      command: against === undefined ? "check" : `check --against ${against}`,
      startedAt,
      findings: [...checked.findings, ...(compared?.findings ?? [])],
      endpoints: () => [],
      groups: [],
      operations: compared?.operations ?? [],
      categories,
      answered: new Set(),
      judges: judgeEntries(categories, null),
      failure: null,
    },
    await readBaseline(project),
    how,
  );
  const isClean = report.findings.every(({ accepted }) => accepted);
  // Accepting something changes nothing that is cached, so what the baseline was is part of it.
  if (isClean && compared === null && known !== null) await remember(project, known, checked);
  if (isPlain && isClean) context.out(CLEAN);
  else {
    const { writeReports } = await import("./write-reports.ts");
    await writeReports(context, project, report, { ...how, accept });
  }
  return report.outcome.exit;
}

/** What is read before anything is checked. */
type Known = {
  readonly inputs: GenerationInputs;
  readonly cache: CachedGeneration | null;
  /** What was accepted, as a hash. */
  readonly baseline: string;
};

async function readKnown(project: Project, startedAt: number): Promise<Known> {
  const inputs = await readGenerationInputs(project);
  const cache = await readGenerationCache(project.root);
  return { inputs, cache, baseline: await hashBaseline(project, startedAt) };
}

async function isKnownToBeClean(project: Project, { inputs, cache, baseline }: Known): Promise<boolean> {
  return cache?.baseline === baseline && (await isChecked(project, inputs, cache));
}

async function remember(
  { root }: Project,
  { inputs: { digest }, cache, baseline }: Known,
  { generated, schemaFiles }: CheckedRepository,
): Promise<void> {
  const known = generated.length === 0 ? cache?.files : {};
  await writeGenerationCache(root, digest, [...generated, ...schemaFiles], known, baseline);
}

const CLEAN = "Everything generated is current, and every operation is valid.\n";
