import { type Emulator, type EmulatorOptions, loadEmulator } from "./fleet/load-emulator.ts";
import type { AcceptOptions, AcceptResult } from "./tasks/accept.ts";
import type { Asked, AskOptions } from "./tasks/ask.ts";
import type { CheckOptions, CheckResult } from "./tasks/check.ts";
import type { CompiledText } from "./tasks/compile/compile-portable.ts";
import type { CompileOptions } from "./tasks/compile.ts";
import type { DerivedSchema, DeriveOptions } from "./tasks/derive.ts";
import type { DiffOptions, DiffResult } from "./tasks/diff.ts";
import type { DriftOptions, DriftResult } from "./tasks/drift.ts";
import type { GenerateResult } from "./tasks/generate/generate-project.ts";
import type { GenerateOptions } from "./tasks/generate.ts";
import type { Introspection, IntrospectOptions } from "./tasks/introspect.ts";
import type { PlanOptions, PlanResult } from "./tasks/plan.ts";

/**
 * What a configuration needs, the commands as functions, and the emulator for a test suite. Importing it loads next to
 * nothing.
 *
 * @packageDocumentation
 */

export { LockflowError } from "./base/errors.ts";
export type { JudgingOptions } from "./compare/judge-run.ts";
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
export type { Finding } from "./report/finding.ts";
export type { DecidedFinding } from "./report/outcome.ts";
export type { Report } from "./report/report.ts";
export type { AcceptOptions, AcceptResult } from "./tasks/accept.ts";
export type { AskedChain, AskedRows, PagePlace } from "./tasks/ask/ask-chains.ts";
export type { Column } from "./tasks/ask/rows.ts";
export type { Asked, AskOptions, RowsOptions } from "./tasks/ask.ts";
export type { CheckOptions, CheckResult } from "./tasks/check.ts";
export type { CompiledText, Refusal } from "./tasks/compile/compile-portable.ts";
export type { CompileOptions } from "./tasks/compile.ts";
export type { DerivedSchema, DeriveOptions } from "./tasks/derive.ts";
export type { DiffOptions, DiffResult } from "./tasks/diff.ts";
export type { DriftOptions, DriftResult } from "./tasks/drift.ts";
export type { GenerateResult } from "./tasks/generate/generate-project.ts";
export type { GenerateOptions } from "./tasks/generate.ts";
export type { Introspection, IntrospectOptions } from "./tasks/introspect.ts";
export type { PlanOptions, PlanResult } from "./tasks/plan.ts";

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
  const task = await import("./tasks/introspect.ts");
  return task.introspect(options);
}

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
  const task = await import("./tasks/generate.ts");
  return task.generate(options);
}

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
  const task = await import("./tasks/diff.ts");
  return task.diff(options);
}

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
  const task = await import("./tasks/drift.ts");
  return task.drift(options);
}

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
  const task = await import("./tasks/check.ts");
  return task.check(options);
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
  const task = await import("./tasks/accept.ts");
  return task.accept(options);
}

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
  const task = await import("./tasks/plan.ts");
  return task.plan(options);
}

/**
 * Prepares an operation for some chains, as `lockflow ask` does. It needs no generated code, and sends no request before
 * rows are read.
 *
 * @param options the project, the operation, its variables and chains.
 * @returns the columns and the rows.
 * @throws UsageError for unknown variables, chains and names, OperationError for an operation that cannot be asked.
 * @throws SchemaError for a snapshot and FileError for a file that is missing or cannot be read, and ConfigError.
 * @example
 * ```ts
 * import { ask } from "lockflow";
 *
 * const { columns, rows } = await ask({
 *   cwd: ".",
 *   env: process.env,
 *   operation: "AllStreams",
 *   protocol: "lockup",
 *   chains: ["base", 10],
 *   pages: true,
 * });
 * console.log(columns.map(({ name }) => name));
 * for await (const page of rows({ onChain: ({ chain, error }) => error && console.error(chain, error) })) {
 *   console.log(page.chain, page.rows.length);
 * }
 * ```
 */
export async function ask(options: AskOptions): Promise<Asked> {
  const task = await import("./tasks/ask.ts");
  return task.ask(options);
}

/**
 * Compiles operations that are written once to the documents of both styles, as `lockflow compile <operation>` does: it shows what is
 * made of them and why, and writes nothing.
 *
 * @param options the project, and which operations.
 * @returns both texts of each, its variables, the rules that were applied, and what is not portable in it.
 * @throws UsageError where it is not clear which operation or protocol is meant, FileError for a file that is missing.
 * @throws SchemaError for a snapshot that is missing or cannot be read, and ConfigError.
 * @example
 * ```ts
 * import { compile } from "lockflow";
 *
 * const [compiled] = await compile({ cwd: ".", operation: "StreamsBySender", protocol: "lockup" });
 * for (const { message, hint } of compiled?.refusals ?? []) console.log(message, hint);
 * console.log(compiled?.multichain.text);
 * ```
 */
export async function compile(options: CompileOptions): Promise<readonly CompiledText[]> {
  const task = await import("./tasks/compile.ts");
  return task.compile(options);
}

/**
 * Derives the API schema that a platform makes of an entity schema, as `lockflow derive` does.
 *
 * @param options the entity schema, the platform, and what its operator set.
 * @returns the schema, as SDL and as the answer to the introspection query.
 * @throws SchemaError for entities that the platform refuses, with all of its reasons.
 * @throws UsageError for a release or a setting that the platform does not have.
 * @example
 * ```ts
 * import { derive } from "lockflow";
 *
 * const entities = "type Stream @entity(immutable: false) { id: ID! amount: BigInt! }";
 * const { sdl } = await derive({ entities, style: "subgraph", release: "graph-node-0.40" });
 * console.log(sdl.includes("input Stream_filter"));
 * ```
 */
export async function derive(options: DeriveOptions): Promise<DerivedSchema> {
  const task = await import("./tasks/derive.ts");
  return task.derive(options);
}
