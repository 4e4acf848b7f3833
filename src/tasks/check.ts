import { createMemo, type Memo } from "../base/collections.ts";
import { hashBaseline, judgeEntries, NOTHING_ACCEPTED, readBaseline } from "../compare/baseline.ts";
import type { Judged, JudgingOptions, JudgingRules, RunDetails } from "../compare/judge-run.ts";
import type { CheckedSchemas } from "../compare/parity.ts";
import type { Generation } from "../generate/generate-files.ts";
import {
  type CachedGeneration,
  isChecked,
  isCurrent,
  readGenerationCache,
  writeGenerationCache,
} from "../generate/write-generation.ts";
import { openProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { Report } from "../report/report.ts";
import { type GenerationInputs, readGenerationInputs } from "../workspace/workspace.ts";
import type { GenerateOptions } from "./generate.ts";

/** Checks the files of a project: see `check` of `src/index.ts`. */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const startedAt = Date.now();
  const project = await openProject(options);
  const { judge } = await runCheck(project, options.against ?? null, startedAt);
  const { judged, resolveJudging } = await import("../compare/judge-run.ts");
  return judged(project, { report: await judge(resolveJudging(options)) });
}

/** The options of `check`. */
export type CheckOptions = GenerateOptions &
  JudgingOptions & {
    /** A git ref: what the snapshots mean to the operations is compared with those of that ref. @default none */
    readonly against?: string | undefined;
  };

/** What `check` found. */
export type CheckResult = Judged & {
  /** What `--report json` writes. */
  readonly report: Report;
};

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
  const { judgeRun } = await import("../compare/judge-run.ts");
  const compared =
    against === null || checked.isSpoilt
      ? { findings: [], operations: [] }
      : await (await import("./check/compare-with-ref.ts")).compareWithRef(project, against, rules);
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
  const { collectSources } = await import("../compare/report-operations.ts");
  const { compareFleets } = await import("../compare/compare-surface.ts");
  const { describeDeployments } = await import("../compare/report-operations.ts");
  const { readCommittedSchemas } = await import("../workspace/read-snapshots.ts");
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

/** What was found wrong in a repository, and what it was compared with. */
export type CheckedRepository = CheckedSchemas & {
  /** What was generated for comparison; empty when an earlier generation is known to be current. */
  readonly generated: Generation["files"];
};

/**
 * Checks what is in a repository: that generated files and snapshots are as they were written, that operations are
 * valid and do what they say, and that the styles agree.
 *
 * @param cache what an earlier run knows to be current; null to look at everything.
 */
export async function checkRepository(
  project: Project,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<CheckedRepository> {
  const { checkSchemas } = await import("../compare/parity.ts");
  // A snapshot is looked at three times, and parsed once.
  const memo = createMemo();
  const generated: { readonly files: Generation["files"]; readonly findings: readonly Finding[] } =
    // What it knows to be current may still not do what it says, which is told again every time.
    !cache?.hasPitfalls && (await isCurrent(project, inputs, cache))
      ? { files: [], findings: [] }
      : await compareWithGeneration(project, inputs, memo);
  const schemas = await checkSchemas(project, memo);
  return { ...schemas, findings: [...schemas.findings, ...generated.findings], generated: generated.files };
}

async function compareWithGeneration(project: Project, inputs: GenerationInputs, memo: Memo) {
  const { generateFiles } = await import("../generate/generate-files.ts");
  const { compareGenerated } = await import("../generate/write-generation.ts");
  const generation = await generateFiles(project, inputs, memo);
  const stale = await compareGenerated(project, generation);
  const findings = [...generation.findings, ...generation.pitfalls, ...stale];
  return { files: generation.files, findings };
}
