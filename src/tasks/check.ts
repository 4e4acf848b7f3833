import { SchemaError } from "../base/errors.ts";
import type { OutputFile } from "../base/output-file.ts";
import { CLIENT_PACKAGE, CLIENT_RANGE } from "../base/own-package.ts";
import { shellArgument } from "../base/text.ts";
import { createCoverage } from "../compare/coverage.ts";
import type { Judged, JudgingOptions, JudgingRules } from "../compare/judge-run.ts";
import type { CheckedSchemas } from "../compare/parity.ts";
import {
  type CachedGeneration,
  compareGenerated,
  isChecked,
  isCurrent,
  readGenerationCache,
  writeGenerationCache,
} from "../generate/write-generation.ts";
import { openProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { Report } from "../report/report.ts";
import { type AcceptedEntry, hashBaseline, NOTHING_ACCEPTED, readBaseline } from "../workspace/baseline.ts";
import { findClientMismatch } from "../workspace/client-version.ts";
import { type GenerationInputs, readGenerationInputs } from "../workspace/generation-inputs.ts";
import type { CompiledProtocols } from "../workspace/operations.ts";
import { allCommitted, isUniform, openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { GenerateOptions } from "./generate.ts";

/** Checks the files of a project. See `check` in `src/index.ts`. */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const startedAt = Date.now();
  const project = await openProject(options);
  const { judge } = await runCheck(project, { against: options.against ?? null, startedAt });
  const { judged, resolveJudging } = await import("../compare/judge-run.ts");
  return judged(project, { report: await judge(resolveJudging(options)) });
}

/** The options of `check`. */
export type CheckOptions = GenerateOptions &
  JudgingOptions & {
    /**
     * A git ref: the snapshots are compared with those at the merge base of the ref and `HEAD`, and the differences with
     * the operations. @default none
     */
    readonly against?: string | undefined;
  };

/** What `check` found. */
export type CheckResult = Judged & {
  /** What `--report json` writes. */
  readonly report: Report;
};

/** A check that has run. `judge` loads the code that builds the report, because a clean check must start fast. */
export type CheckRun = {
  /** Whether there is nothing to report. False if findings were accepted, and with a git ref. */
  readonly isClean: boolean;
  readonly judge: (rules: JudgingRules) => Promise<Report>;
};

/** The options of `runCheck`. */
export type CheckRunOptions = {
  /** A git ref; null for none. */
  readonly against: string | null;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  /** Called if the files are not known to be clean. @default not called */
  readonly beforeWork?: (() => Promise<void> | undefined) | undefined;
};

/**
 * Checks the files of a repository: everything generated and every snapshot is current, every operation is valid, the
 * styles agree and, with `against`, the operations mean what they meant at the merge base with a git ref.
 */
export async function runCheck(
  project: Project,
  { against, startedAt, beforeWork }: CheckRunOptions,
): Promise<CheckRun> {
  const workspace = openWorkspace(project);
  const mismatch = await findClientMismatch(project);
  const entries = readBaseline(workspace);
  const baseline = hashBaseline(entries, startedAt);
  let inputs: GenerationInputs;
  try {
    inputs = await readGenerationInputs(workspace);
  } catch (error) {
    if (against === null) throw error;
    return {
      isClean: false,
      judge: (rules) => judgeMissing(error, { workspace, entries, against, startedAt, rules }),
    };
  }
  const cache = await readGenerationCache(project.root);
  const check = async () => {
    await beforeWork?.();
    const checked = await checkRepository(workspace, inputs, cache);
    if (mismatch === null) return checked;
    const { buildFileFinding } = await import("../report/codes/files.ts");
    const at = { subject: CLIENT_PACKAGE, place: null };
    const finding = buildFileFinding("generated/client-version", [mismatch, CLIENT_RANGE], at);
    return { ...checked, findings: [...checked.findings, finding] };
  };
  /** Lets the next run skip clean files. Accepted findings count as clean. */
  const cacheClean = async ({ generated, pitfalls }: CheckedRepository) => {
    const files = generated.length === 0 ? (cache?.files ?? {}) : {};
    await writeGenerationCache(workspace, generated, { digest: inputs.digest, files, pitfalls, baseline });
  };
  const judge = async (checked: CheckedRepository, rules: JudgingRules) => {
    const report = await judgeChecked(checked, { workspace, entries, against, startedAt, rules });
    if (against === null && report.findings.every(({ accepted }) => accepted)) await cacheClean(checked);
    return report;
  };
  if (
    against === null &&
    mismatch === null &&
    cache?.baseline === baseline &&
    isChecked(workspace, inputs, cache)
  ) {
    return { isClean: true, judge: async (rules) => judge(await check(), rules) };
  }
  const checked = await check();
  const isClean =
    against === null &&
    isUniform(workspace) &&
    baseline === NOTHING_ACCEPTED &&
    checked.findings.length === 0;
  if (isClean) await cacheClean(checked);
  return { isClean, judge: (rules) => judge(checked, rules) };
}

/** The findings of a repository, and the generated files that it was compared with. */
export type CheckedRepository = CheckedSchemas & {
  /** The generated files; empty if they were not generated. */
  readonly generated: readonly OutputFile[];
  readonly pitfalls: readonly Finding[];
  /** The portable operations; null if they were not compiled. */
  readonly compiled: CompiledProtocols | null;
};

/**
 * Checks that generated files and snapshots are unchanged, that operations are valid and without pitfalls, and that the
 * styles agree.
 *
 * @param cache the files that an earlier run found current; null to check all of them.
 */
export async function checkRepository(
  workspace: Workspace,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<CheckedRepository> {
  const { checkSchemas } = await import("../compare/parity.ts");
  const schemas = checkSchemas(workspace);
  // Other findings may only follow from the edit.
  if (schemas.hasEditedSnapshot) return { ...schemas, pitfalls: [], generated: [], compiled: null };
  if (cache !== null && isCurrent(workspace, inputs, cache)) {
    const { pitfalls } = cache;
    return {
      ...schemas,
      findings: [...schemas.findings, ...pitfalls],
      pitfalls,
      generated: [],
      compiled: null,
    };
  }
  const { generateFiles } = await import("../generate/generate-files.ts");
  const { files, findings, pitfalls, compiled } = await generateFiles(workspace.project, inputs);
  const stale = compareGenerated(workspace, { files, findings });
  const { explainRenames } = await import("../compare/explain-renames.ts");
  const explained = await explainRenames(workspace, findings);
  return {
    ...schemas,
    findings: [...schemas.findings, ...explained, ...pitfalls, ...stale],
    pitfalls,
    generated: files,
    compiled,
  };
}

type JudgedCheck = {
  readonly workspace: Workspace;
  readonly entries: readonly AcceptedEntry[];
  readonly against: string | null;
  readonly startedAt: number;
  readonly rules: JudgingRules;
};

/**
 * Builds the report for operations without their snapshot, if the snapshot existed at the ref. Nothing else is reported,
 * because it may only follow from that. Throws other errors.
 */
async function judgeMissing(
  error: unknown,
  { workspace, entries, against, startedAt, rules }: JudgedCheck & { readonly against: string },
): Promise<Report> {
  if (!(error instanceof SchemaError) || error.code !== "SCHEMA_SNAPSHOT_MISSING") throw error;
  const { compareWithRef } = await import("./check/compare-with-ref.ts");
  const compared = await compareWithRef(workspace, new Map(), { ...rules, ref: against });
  const findings = compared.findings.filter(({ code }) => code === "snapshot/missing");
  if (findings.length === 0) throw error;
  const { judgeRun } = await import("../compare/judge-run.ts");
  const run = describeRun({ against, startedAt }, findings, ["snapshot"]);
  return judgeRun({ ...run, details: { against: compared.against } }, entries, rules);
}

function describeRun(
  { against, startedAt }: Pick<JudgedCheck, "against" | "startedAt">,
  findings: readonly Finding[],
  categories: readonly string[],
) {
  return {
    command: against === null ? "check" : `check --against ${shellArgument(against)}`,
    startedAt,
    findings,
    operations: [],
    categories,
    answered: new Set<string>(),
    covers: createCoverage(categories, null),
  };
}

/** Applies the accepted findings, decides the exit code, and builds the report. */
async function judgeChecked(
  { findings, hasEditedSnapshot, parities, compiled }: CheckedRepository,
  { workspace, entries, against, startedAt, rules }: JudgedCheck,
): Promise<Report> {
  const { judgeRun } = await import("../compare/judge-run.ts");
  // Nothing is compared with an edited snapshot, so entries about parity are not stale either.
  const categories = hasEditedSnapshot ? ["snapshot"] : ["generated", "operation", "snapshot", "parity"];
  const run = describeRun({ against, startedAt }, findings, categories);
  if (hasEditedSnapshot) return judgeRun(run, entries, rules);
  const comparesFleets = rules.details || !isUniform(workspace);
  if (against === null && !comparesFleets) return judgeRun(run, entries, rules);
  const { readOperations } = await import("../workspace/operations.ts");
  const operations = await readOperations(workspace, workspace.snapshots, compiled);
  const compared =
    against === null
      ? { findings: [], operations: [], against: undefined }
      : await (await import("./check/compare-with-ref.ts")).compareWithRef(workspace, operations, {
          ...rules,
          ref: against,
        });
  const { compareFleets, recordedFindings } = await import("../compare/compare-surface.ts");
  const { fleets } = comparesFleets
    ? await compareFleets(allCommitted(workspace), operations, {
        output: workspace.project.output,
        exhaustiveEnums: rules.exhaustiveEnums,
      })
    : { fleets: [] };
  const recorded = recordedFindings(fleets);
  const { collectSources, describeDeployments } = await import("../compare/report-operations.ts");
  const details = {
    ...(compared.against && { against: compared.against }),
    ...(rules.details && {
      protocols: parities,
      deployments: describeDeployments(workspace.project),
      snapshots: {
        groups: fleets.flatMap(({ groups }) => groups),
        operations: fleets.flatMap((fleet) => fleet.operations),
      },
      sources: collectSources(operations),
    }),
  };
  // The findings of the snapshots list the operations that some chains refuse, with the cause.
  const others = findings.filter(({ code }) => code !== "operation/not-everywhere");
  return judgeRun(
    {
      ...run,
      findings: [...others, ...recorded, ...compared.findings],
      operations:
        against === null && recorded.length > 0
          ? fleets.flatMap(({ operations }) => operations)
          : compared.operations,
      details,
    },
    entries,
    rules,
  );
}
