import { findInterrupted } from "../generate/find-interrupted.ts";
import { isChecked, readGenerationCache, writeGenerationCache } from "../generate/generation-cache.ts";
import { readGenerationInputs } from "../generate/generation-inputs.ts";
import type { Project } from "../project/project.ts";
import type { Report } from "../report/report.ts";
import { hashBaseline, NOTHING_ACCEPTED, readBaseline } from "./baseline/read-baseline.ts";
import { type CheckedRepository, checkRepository } from "./check-repository.ts";
import { judgeEntries } from "./judge-entries.ts";
import type { JudgingRules, RunDetails } from "./judge-run.ts";

/**
 * Checks what is in a repository: the pipeline of `generate` with a comparing writer, the snapshots, what the styles
 * agree in and, with `against`, what the operations mean beside a git ref.
 *
 * @param against the git ref; null for none.
 * @param startedAt in milliseconds since the epoch.
 * @returns whether there is nothing to judge, and what judges: late, because a check that is clean is to load little.
 */
export async function runCheck(
  project: Project,
  against: string | null,
  startedAt: number,
): Promise<{ readonly isClean: boolean; readonly judge: (rules: JudgingRules) => Promise<Report> }> {
  const interrupted = await findInterrupted(project);
  if (interrupted.length > 0) {
    // Of files that do not belong together nothing else is worth telling.
    const checked = { findings: interrupted, generated: [], schemaFiles: [], isSpoilt: true, parities: [] };
    const judge = (rules: JudgingRules) => judgeChecked(project, checked, against, startedAt, rules);
    return { isClean: false, judge };
  }
  const inputs = await readGenerationInputs(project);
  const cache = await readGenerationCache(project.root);
  const baseline = await hashBaseline(project, startedAt);
  const cacheClean = async ({ generated, schemaFiles }: CheckedRepository) => {
    const known = generated.length === 0 ? (cache?.files ?? {}) : {};
    // Accepting something changes nothing that is cached, so what was accepted is part of it.
    await writeGenerationCache(project.root, inputs.digest, [...generated, ...schemaFiles], known, {
      baseline,
    });
  };
  const isKnown =
    against === null && cache?.baseline === baseline && (await isChecked(project, inputs, cache));
  const checked = isKnown ? null : await checkRepository(project, inputs, cache);
  const isClean =
    against === null &&
    (checked === null || (baseline === NOTHING_ACCEPTED && checked.findings.length === 0));
  if (isClean && checked !== null) await cacheClean(checked);
  return {
    isClean,
    judge: async (rules) => {
      const found = checked ?? (await checkRepository(project, inputs, cache));
      const report = await judgeChecked(project, found, against, startedAt, rules);
      if (against === null && report.findings.every(({ accepted }) => accepted)) await cacheClean(found);
      return report;
    },
  };
}

async function judgeChecked(
  project: Project,
  checked: CheckedRepository,
  against: string | null,
  startedAt: number,
  rules: JudgingRules,
): Promise<Report> {
  const { judgeRun } = await import("./judge-run.ts");
  const compared =
    against === null || checked.isSpoilt
      ? { findings: [], operations: [] }
      : await (await import("./compare-with-ref.ts")).compareWithRef(project, against, rules);
  // A spoilt snapshot tells nothing of parity, so nothing that was accepted of it is stale.
  const categories = ["generated", "operation", "snapshot", ...(checked.isSpoilt ? [] : ["parity"])];
  return judgeRun(
    {
      command: against === null ? "check" : `check --against ${against}`,
      startedAt,
      findings: [...checked.findings, ...compared.findings],
      operations: compared.operations,
      categories,
      answered: new Set(),
      judges: judgeEntries(categories, null),
      details: rules.details && !checked.isSpoilt ? await collectDetails(project, checked, rules) : undefined,
    },
    await readBaseline(project),
    rules,
  );
}

/** Nobody is asked, so what deployments serve and where operations are valid is what the snapshots say. */
async function collectDetails(
  project: Project,
  { parities }: CheckedRepository,
  { exhaustiveEnums }: JudgingRules,
): Promise<RunDetails> {
  const { collectSources } = await import("./collect-sources.ts");
  const { compareFleets } = await import("./compare-snapshots.ts");
  const { describeDeployments } = await import("./describe-deployments.ts");
  const { readCommittedSchemas } = await import("../snapshots/read-snapshots.ts");
  const { fleets, operations } = await compareFleets(
    project,
    await readCommittedSchemas(project),
    exhaustiveEnums,
  );
  return {
    protocols: parities,
    deployments: describeDeployments(project),
    snapshots: {
      groups: fleets.flatMap(({ groups }) => groups),
      operations: fleets.flatMap((fleet) => fleet.operations),
    },
    sources: collectSources(operations),
  };
}
