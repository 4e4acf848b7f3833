import { shellArgument } from "../base/text.ts";
import { compareSnapshots } from "../compare/compare-surface.ts";
import { createCoverage } from "../compare/coverage.ts";
import {
  type Judged,
  type JudgingOptions,
  type JudgingRules,
  judged,
  judgeRun,
  resolveJudging,
} from "../compare/judge-run.ts";
import { collectSources, describeDeployments } from "../compare/report-operations.ts";
import { selectedSurfaces } from "../dialects/surface.ts";
import { leftOut, openProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import type { ProtocolParity } from "../report/outcome.ts";
import type { GroupReport, OperationReport, Report } from "../report/report.ts";
import { readBaseline } from "../workspace/baseline.ts";
import { openWorkspace, selectCommitted } from "../workspace/workspace.ts";
import { compareTwo, readSource, type SourceContext } from "./diff/compare-two.ts";
import type { GenerateOptions } from "./generate.ts";

/** Compares snapshots, or two schemas. See `diff` in `src/index.ts`. */
export async function diff(options: DiffOptions): Promise<DiffResult> {
  const rules = { ...resolveJudging(options), startedAt: Date.now() };
  const project = await openProject(options);
  const { cwd, env = {}, schemas } = options;
  const run = schemas
    ? await diffTwo(schemas, { cwd, env, workspace: openWorkspace(project) }, rules)
    : await diffSnapshots(project, rules);
  return judged(project, run);
}

/** The options of `diff`. */
export type DiffOptions = GenerateOptions &
  JudgingOptions & {
    /**
     * Two schemas to compare instead of the snapshots, each a file, a URL, a snapshot (`lockup/subgraph`), or a snapshot
     * or file at a git ref (`main:lockup/subgraph`). @default the snapshots
     */
    readonly schemas?: readonly [before: string, after: string] | undefined;
    /** The variables with keys and proxies, for a schema at a URL. @default none */
    readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  };

/** What `diff` found. */
export type DiffResult = DiffRun & Judged;

/** The result of comparing snapshots or two schemas. */
export type DiffRun = {
  /** What `--report json` writes. */
  readonly report: Report;
  /** How the styles agree, by protocol; null if two schemas of one style were compared. */
  readonly parities: readonly ProtocolParity[] | null;
  /** What the fleets serve, by surface; empty if two schemas were compared. */
  readonly fleets: readonly FleetReport[];
  /** Names of the deployments that the selection excludes. */
  readonly leftOut: readonly string[];
  /** The names of the two compared schemas, without secrets; empty if snapshots were compared. */
  readonly schemas: readonly string[];
};

/** What the deployments of one surface serve. */
export type FleetReport = {
  /** Deployments with the same schema form a group. */
  readonly groups: readonly GroupReport[];
  /** The operations of the surface, with the chains they are valid on. */
  readonly operations: readonly OperationReport[];
};

/** The rules of a comparison, and when it began, in milliseconds since the epoch. */
export type DiffRules = JudgingRules & { readonly startedAt: number };

/** Compares the styles of every protocol with each other, and every fleet with its snapshot. */
export async function diffSnapshots(project: Project, rules: DiffRules): Promise<DiffRun> {
  const workspace = openWorkspace(project);
  const surfaces = selectedSurfaces(project);
  const { rows, snapshots } = selectCommitted(workspace, surfaces, surfaces);
  const names = new Set(project.selected.map(({ name }) => name));
  const { findings, parities, fleets, operations, answered, categories } = await compareSnapshots(
    workspace,
    { rows: rows.filter(({ name }) => names.has(name)), snapshots },
    rules.exhaustiveEnums,
  );
  const others = leftOut(project).map(({ name }) => name);
  const run = {
    command: "diff",
    startedAt: rules.startedAt,
    findings,
    groups: fleets.flatMap(({ groups }) => groups),
    operations: fleets.flatMap(({ operations }) => operations),
    categories,
    answered,
    // An accepted finding may be in a surface that this run excludes, so no entry counts as stale.
    covers: others.length === 0 ? createCoverage(["parity"], null) : () => false,
    details: {
      protocols: parities,
      ...(rules.details && {
        deployments: describeDeployments(project),
        sources: collectSources(operations),
      }),
    },
  };
  return {
    report: judgeRun(run, readBaseline(workspace), rules),
    parities,
    fleets: fleets.map(({ groups, operations }) => ({ groups, operations })),
    leftOut: others,
    schemas: [],
  };
}

/**
 * Compares any two schemas.
 *
 * @throws UsageError for a text that names no schema, and the error of reading one.
 */
export async function diffTwo(
  [before, after]: readonly [before: string, after: string],
  context: SourceContext,
  rules: DiffRules,
): Promise<DiffRun> {
  const { workspace } = context;
  const [from, to] = [await readSource(before, context), await readSource(after, context)];
  const { findings, operations, parity } = await compareTwo(from, to, { ...rules, workspace });
  const run = {
    command: ["diff", from.name, to.name].map(shellArgument).join(" "),
    startedAt: rules.startedAt,
    findings,
    operations,
    categories: [],
    answered: new Set<string>(),
    // No later run repeats this comparison, so none of its findings can be accepted.
    covers: () => false,
    ...(parity && { details: { protocols: [parity] } }),
  };
  return {
    report: judgeRun(run, readBaseline(workspace), rules),
    parities: parity === null ? null : [parity],
    fleets: [],
    leftOut: [],
    schemas: [from.name, to.name],
  };
}
