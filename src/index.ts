import { UsageError } from "./base/errors.ts";
import type { FailOn, Requirement } from "./compare/decide-outcome.ts";
import { requireRelease } from "./dialects/style.ts";
import type { StyleName } from "./dialects/surface.ts";
import { type Emulator, type EmulatorOptions, loadEmulator } from "./fleet/load-emulator.ts";
import type { AskingOptions } from "./fleet/open-targets.ts";
import type { ProjectOptions, ProjectPlace } from "./project/load-project.ts";
import type { DecidedFinding } from "./report/outcome.ts";
import type { Report } from "./report/report.ts";
import type { AcceptRun } from "./tasks/accept.ts";
import type { DiffRun } from "./tasks/diff.ts";
import type { DriftRun } from "./tasks/drift/judge-answers.ts";
import type { GenerateResult } from "./tasks/generate/generate-project.ts";
import type { Introspection } from "./tasks/introspect.ts";
import type { PlanRun } from "./tasks/plan.ts";

/**
 * What a configuration needs, the commands as functions, and the emulator for a test suite. Importing it loads next to
 * nothing.
 *
 * @packageDocumentation
 */

export { LockflowError } from "./base/errors.ts";
export type { Identity, ProtocolDefinition } from "./dialects/protocol.ts";
export type {
  Emulator,
  EmulatorEndpoint,
  EmulatorOptions,
  Fault,
  FaultHandle,
} from "./fleet/load-emulator.ts";
export type { Config } from "./project/config.ts";
export { defineConfig, defineProtocol } from "./project/config.ts";

/**
 * Starts the emulator: all deployments over real HTTP on this machine, for a test suite or a demonstration.
 * Everything it needs is loaded by the call, because configurations import this module too.
 *
 * @param options where to listen, what to serve, and what goes wrong.
 * @returns the running emulator; `await using` or `close` ends it.
 * @throws EmulatorError `EMULATOR_PORT_IN_USE` or `EMULATOR_CANNOT_LISTEN`, and others for options that cannot be.
 * @throws SchemaError for entities their platform refuses.
 * @example
 * ```ts
 * import { startEmulator } from "lockflow";
 *
 * await using emulator = await startEmulator();
 * console.log(emulator.endpoints.length);
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await loadEmulator();
  return emulator.startEmulator(options);
}

export type { Finding } from "./report/finding.ts";
export type { DecidedFinding } from "./report/outcome.ts";
export type { Report } from "./report/report.ts";
export type {
  Asked,
  AskedChain,
  AskedRows,
  AskOptions,
  Column,
  PagePlace,
  RowsOptions,
} from "./tasks/ask.ts";
export { ask } from "./tasks/ask.ts";
export type { CompiledText, Refusal } from "./tasks/compile/compile-portable.ts";
export { type CompileOptions, compile } from "./tasks/compile.ts";
export type { DerivedSchema, DeriveOptions } from "./tasks/derive.ts";
export { derive } from "./tasks/derive.ts";
export type { GenerateResult } from "./tasks/generate/generate-project.ts";
export type { Introspection } from "./tasks/introspect.ts";

// What the command line does, as functions: plain options in, results out. Nothing here prints or ends a process, and
// everything is loaded by the call, because configurations import this module too.

/**
 * Asks every deployment for its schema, and updates the snapshots. A deployment that fails changes none, and the result reports it.
 *
 * @param options the project, and whom to ask.
 * @returns what became of every deployment, and of the files.
 * @throws ConfigError before anybody is asked: a key is missing, or the configuration is not valid.
 * @throws SchemaError for a snapshot that cannot be read, and FileError for one that cannot be written.
 * @example
 * ```ts
 * import { introspect } from "lockflow";
 *
 * const { deployments, written } = await introspect({ cwd: ".", env: process.env });
 * const failed = deployments.filter(({ status }) => status !== "introspected");
 * console.log(`${failed.length} failed, ${written.length} files changed`);
 * ```
 */
export async function introspect(options: IntrospectOptions): Promise<Introspection> {
  const { openProject } = await import("./project/load-project.ts");
  const { withTargets } = await import("./fleet/open-targets.ts");
  const { introspectProject } = await import("./tasks/introspect.ts");
  const project = await openProject(options);
  return withTargets(project, options, (opened) => introspectProject(project, opened, options.onProgress));
}

/** The options of `introspect`. */
export type IntrospectOptions = AskingOptions;

/**
 * Turns the operations into typed documents and a manifest, as `lockflow generate` does: all files or, with errors in
 * the operations, none.
 *
 * @param options the project.
 * @returns what was found, and what became of the files.
 * @throws OperationError when there are no operations, SchemaError for a snapshot that is missing or cannot be read.
 * @throws ConfigError, and FileError for a file that cannot be written.
 * @example
 * ```ts
 * import { generate } from "lockflow";
 *
 * const { failed, written } = await generate({ cwd: "." });
 * for (const { place, message } of failed) console.log(`${place?.file}:${place?.line} ${message}`);
 * if (failed.length === 0) console.log(`${written.length} files changed`);
 * ```
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const { openProject } = await import("./project/load-project.ts");
  const { runGenerate } = await import("./tasks/generate.ts");
  return runGenerate(await openProject(options));
}

/** The options of `generate`. */
export type GenerateOptions = Pick<ProjectOptions, "cwd" | "config">;

/**
 * Compares what the snapshots hold: the two styles of each protocol, and the chains among each other; or any two schemas.
 *
 * @param options the project, what to compare, and how to judge it.
 * @returns the report of `lockflow diff`, and what it has beside.
 * @throws SchemaError for a snapshot that is missing, and whatever is wrong with a schema that is named.
 * @throws ConfigError, BaselineError
 * @example
 * ```ts
 * import { diff } from "lockflow";
 *
 * const { report } = await diff({ cwd: ".", schemas: ["main:lockup/subgraph", "lockup/subgraph"] });
 * for (const { severity, message } of report.findings) console.log(severity, message);
 * ```
 */
export async function diff(options: DiffOptions): Promise<DiffResult> {
  const { openProject } = await import("./project/load-project.ts");
  const { diffSnapshots, diffTwo } = await import("./tasks/diff.ts");
  const { resolveJudging } = await import("./compare/judge-run.ts");
  const rules = { ...resolveJudging(options), startedAt: Date.now() };
  const project = await openProject(options);
  const { cwd, env = {}, schemas } = options;
  const run = schemas
    ? await diffTwo(...schemas, { cwd, env, project }, rules)
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
    /** The variables that hold keys, for a schema that is asked at its URL. @default none */
    readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  };

/** What `diff` found. */
export type DiffResult = DiffRun & Judged;

/**
 * Asks every deployment what it serves, and compares it with the snapshots.
 *
 * @param options the project, whom to ask, and how to judge the answers.
 * @returns the report of `lockflow drift`, and what to keep for the next run.
 * @throws ConfigError before anybody is asked: a key is missing, or with `CI` set in `env` no host is configured.
 * @throws SchemaError for a snapshot that is missing, BaselineError, and MemoryError for what an earlier run kept.
 * @example
 * ```ts
 * import { drift } from "lockflow";
 *
 * const { report, failed } = await drift({ cwd: ".", env: process.env });
 * for (const { where, message } of failed) console.log(where?.deployments.join(), message);
 * if (report.outcome.exit !== 0) throw new Error(report.outcome.reason);
 * ```
 */
export async function drift(options: DriftOptions): Promise<DriftResult> {
  const startedAt = Date.now();
  const { openProject } = await import("./project/load-project.ts");
  const { withTargets } = await import("./fleet/open-targets.ts");
  const { parseMemory } = await import("./fleet/memory.ts");
  const { runDrift } = await import("./tasks/drift.ts");
  const { resolveJudging } = await import("./compare/judge-run.ts");
  const project = await openProject(options);
  const { env, emulator, update = false, memory, memoryPath = "the memory", onProgress } = options;
  if (!emulator) (await import("./fleet/open-targets.ts")).requireHostInCi(project, env);
  const earlier = memory === undefined ? new Map() : parseMemory(memory, memoryPath);
  const rules = { ...resolveJudging(options), update, earlier, startedAt };
  const run = await withTargets(project, options, (opened) => runDrift(project, opened, rules, onProgress));
  return judged(project, run);
}

/** The options of `drift`. */
export type DriftOptions = AskingOptions &
  JudgingOptions & {
    /** How many of each protocol and style have to answer. @default 80 percent */
    readonly require?: Requirement | undefined;
    /** Whether dead and stuck deployments fail the run; `memory` is what tells most of them. @default false */
    readonly failOnHealth?: boolean | undefined;
    /** Whether to move the snapshots to what was answered, where enough deployments did. @default false */
    readonly update?: boolean | undefined;
    /** The `memory` that the last run returned. @default none, as in the first run */
    readonly memory?: string | undefined;
    /** What errors call it. @default "the memory" */
    readonly memoryPath?: string | undefined;
  };

/** What `drift` found. */
export type DriftResult = DriftRun & Judged;

/** How what was found is judged. */
export type JudgingOptions = {
  /** From which severity on a finding fails the run by itself. @default "operations", only what hits operations */
  readonly failOn?: FailOn | undefined;
  /** Whether a new member of an enum breaks clients. @default false */
  readonly exhaustiveEnums?: boolean | undefined;
  /** Whether the report holds what people look at beside findings: parity, and the texts of operations. @default true */
  readonly details?: boolean | undefined;
};

/**
 * Tells whether everything generated is current and every operation is valid, as `lockflow check` does: it changes no
 * file of yours, and sends no request.
 *
 * @param options the project, and how to judge what is found.
 * @returns the report of `lockflow check`.
 * @throws OperationError, SchemaError, ConfigError, BaselineError, FileError for what cannot be looked at.
 * @example
 * ```ts
 * import { check } from "lockflow";
 *
 * const { report, failed } = await check({ cwd: "." });
 * for (const { place, message, fix } of failed) console.log(place?.file, message, fix);
 * if (report.outcome.exit !== 0) throw new Error(report.outcome.reason);
 * ```
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const startedAt = Date.now();
  const { openProject } = await import("./project/load-project.ts");
  const { runCheck } = await import("./tasks/check.ts");
  const { resolveJudging } = await import("./compare/judge-run.ts");
  const project = await openProject(options);
  const { judge } = await runCheck(project, options.against ?? null, startedAt);
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

/** What failed, and where its files are. */
type Judged = ProjectPlace & {
  /**
   * The findings of the report that fail the run, the worst first. A run without any may still not be clean: too few
   * may have answered. `report.outcome` tells how it ended.
   */
  readonly failed: readonly DecidedFinding[];
};

function judged<Run extends { readonly report: Report }>(
  { root, output }: ProjectPlace,
  run: Run,
): Run & Judged {
  return { ...run, failed: run.report.findings.filter(({ fails }) => fails), root, output };
}

/**
 * Tolerates findings for a reason, in `drift-accepted.json`; or takes out of it what is not needed.
 *
 * @param options the project, and which findings to accept.
 * @returns what is accepted now, and what changed.
 * @throws BaselineError for a finding that is not there, or that can only be corrected.
 * @throws UsageError for a reason that is empty and a day that is none, ConfigError, FileError
 * @example
 * ```ts
 * import { accept, diff } from "lockflow";
 *
 * const { report } = await diff({ cwd: "." });
 * const fingerprints = report.findings.map(({ fingerprint }) => fingerprint);
 * await accept({ cwd: ".", fingerprints, reason: "both are being redeployed", until: "2027-01-31" });
 * ```
 */
export async function accept(options: AcceptOptions): Promise<AcceptResult> {
  const { openProject } = await import("./project/load-project.ts");
  const { runAccept } = await import("./tasks/accept.ts");
  const { cwd, prune, fingerprints = [], reason = "", until = null, scope = null, from = null } = options;
  const request = prune ? null : { fingerprints, reason, until, scope };
  return runAccept(await openProject(options), { request, from, cwd, startedAt: Date.now() });
}

/** The options of `accept`. */
export type AcceptOptions = GenerateOptions & {
  /** What reports call the findings: twelve hex digits each. */
  readonly fingerprints?: readonly string[] | undefined;
  /** Why they are tolerated. Needed beside fingerprints. */
  readonly reason?: string | undefined;
  /** The last day they are tolerated on, as `2027-01-31`. @default no end */
  readonly until?: string | undefined;
  /** Names of the deployments they are tolerated for. @default all that show them */
  readonly scope?: readonly string[] | undefined;
  /** A report of `--report json=<file>` to take the findings from, from `cwd`. @default what the snapshots show */
  readonly from?: string | undefined;
  /** Takes out what has ended or matches nothing any more, and accepts nothing. @default false */
  readonly prune?: boolean | undefined;
};

/** What became of the list of accepted findings. */
export type AcceptResult = AcceptRun;

/**
 * Tells what a change of an entity schema would do, before anything is deployed: it derives the API of every style, and
 * compares it with the snapshot of that style.
 *
 * @param options the project, the entity schema, what to compare it with, and how to judge what changes.
 * @returns the report of `lockflow plan`, and what was derived. What a platform refuses is among the findings.
 * @throws UsageError where it is not clear which protocol is meant, and for a release that no platform has.
 * @throws SchemaError for snapshots that are missing, FileError for a file or a git ref that is, ConfigError, BaselineError
 * @example
 * ```ts
 * import { plan } from "lockflow";
 *
 * const { report, apis } = await plan({ cwd: ".", file: "schema.graphql", protocol: "lockup" });
 * for (const { style, release, status } of apis) console.log(style, release, status);
 * for (const { place, message } of report.findings) console.log(place?.line, message);
 * ```
 */
export async function plan(options: PlanOptions): Promise<PlanResult> {
  const startedAt = Date.now();
  const { openProject } = await import("./project/load-project.ts");
  const { resolvePlan } = await import("./tasks/plan/resolve-plan.ts");
  const { runPlan } = await import("./tasks/plan.ts");
  const { readBaseline } = await import("./compare/baseline.ts");
  const { resolveJudging } = await import("./compare/judge-run.ts");
  const { styles } = await import("./dialects/index.ts");
  const { STYLE_NAMES } = await import("./dialects/surface.ts");
  const { cwd, file = null, protocol = null, style = null, against = null, releases = {} } = options;
  const foreign = Object.keys(releases).find((name) => !STYLE_NAMES.some((known) => known === name));
  if (foreign !== undefined) {
    throw new UsageError({ sentence: `"releases" is by style, and "${foreign}" is no style.` });
  }
  const resolved = STYLE_NAMES.flatMap((name) => {
    const release = releases[name];
    return release === undefined ? [] : [[name, requireRelease(release, styles[name].platform)]];
  });
  const project = await openProject(options);
  const request = { file, cwd, protocol, style, against, releases: Object.fromEntries(resolved) };
  const run = await runPlan(await resolvePlan(project, request), {
    ...resolveJudging(options),
    startedAt,
    command: ["plan", ...(file ? [file] : []), ...(against ? ["--against", against] : [])].join(" "),
    entries: await readBaseline(project),
    output: project.output,
  });
  return judged(project, run);
}

/** The options of `plan`. */
export type PlanOptions = GenerateOptions &
  JudgingOptions & {
    /** The file of the entity schema, from `cwd`. @default what the protocol's definition names */
    readonly file?: string | undefined;
    /** The protocol that it is of. @default the only one, the one whose definition names the file, or the one it is like */
    readonly protocol?: string | undefined;
    /** The only style to derive. @default all that the protocol is deployed in */
    readonly style?: StyleName | undefined;
    /** Releases of the platforms: `{ subgraph: "graph-node-0.44" }`. @default those that the snapshots show */
    readonly releases?: { readonly [S in StyleName]?: string | undefined } | undefined;
    /** A git ref: it is compared with what the file was there, in place of the snapshots. @default none */
    readonly against?: string | undefined;
  };

/** What `plan` found. */
export type PlanResult = PlanRun & Judged;
