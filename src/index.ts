import type { Asked, AskOptions } from "./ask/ask.ts";
import { type Emulator, type EmulatorOptions, loadEmulator } from "./fleet/load-emulator.ts";
import type { Ported, PortOptions } from "./port/port.ts";
import type { AcceptOptions, AcceptResult } from "./tasks/accept.ts";
import type { Adapted, AdaptOptions } from "./tasks/adapt/adapt-types.ts";
import type { CheckOptions, CheckResult } from "./tasks/check.ts";
import type { CompiledText, CompileOptions } from "./tasks/compile.ts";
import type { DerivedSchema, DeriveOptions } from "./tasks/derive.ts";
import type { DescribedData } from "./tasks/describe/described-data.ts";
import type { DescribeOptions } from "./tasks/describe.ts";
import type { DiffOptions, DiffResult } from "./tasks/diff.ts";
import type { DriftOptions, DriftResult } from "./tasks/drift.ts";
import type { GenerateResult } from "./tasks/generate/generate-project.ts";
import type { GenerateOptions } from "./tasks/generate.ts";
import type { Introspection, IntrospectOptions } from "./tasks/introspect.ts";
import type { PlanOptions } from "./tasks/plan/resolve-plan.ts";
import type { PlanResult } from "./tasks/plan.ts";

/**
 * Functions for configurations, the commands as functions, and the emulator for tests. Importing this module loads almost
 * nothing.
 *
 * @packageDocumentation
 */

export type { Asked, AskOptions, RowsOptions } from "./ask/ask.ts";
export type { AskedChain, AskedRows, PagePlace } from "./ask/asked-rows.ts";
export type { Column } from "./ask/rows.ts";
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
export type { Ported, PortOptions } from "./port/port.ts";
export type { Difference, Origin, PortedOperation, Reason } from "./port/port-types.ts";
export type { Config } from "./project/config.ts";
export { defineConfig, defineProtocol } from "./project/config.ts";
export type { Finding } from "./report/finding.ts";
export type { DecidedFinding } from "./report/outcome.ts";
export type { Report } from "./report/report.ts";
export type { AcceptOptions, AcceptResult } from "./tasks/accept.ts";
export type { Adapted, AdaptedOperation, AdaptOptions, AdaptReason } from "./tasks/adapt/adapt-types.ts";
export type { CheckOptions, CheckResult } from "./tasks/check.ts";
export type { CompiledText, CompileOptions, Refusal } from "./tasks/compile.ts";
export type { DerivedSchema, DeriveOptions } from "./tasks/derive.ts";
export type {
  DescribedData,
  DescribedEntity,
  DescribedEnum,
  DescribedField,
} from "./tasks/describe/described-data.ts";
export type { DescribeOptions } from "./tasks/describe.ts";
export type { DiffOptions, DiffResult } from "./tasks/diff.ts";
export type { DriftOptions, DriftResult } from "./tasks/drift.ts";
export type { GenerateResult } from "./tasks/generate/generate-project.ts";
export type { GenerateOptions } from "./tasks/generate.ts";
export type { Introspection, IntrospectOptions } from "./tasks/introspect.ts";
export type { PlanOptions } from "./tasks/plan/resolve-plan.ts";
export type { PlanResult } from "./tasks/plan.ts";

/**
 * Starts the emulator: all deployments over real HTTP on this machine, for tests and demonstrations. Loads the emulator
 * on the first call.
 *
 * @param options host and port, the served data, and faults.
 * @returns the running emulator; `await using` or `close` stops it.
 * @throws EmulatorError `EMULATOR_PORT_IN_USE` or `EMULATOR_CANNOT_LISTEN`, and others for invalid options.
 * @throws SchemaError for entities that their platform refuses.
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

// The commands as functions with plain options and results. They print nothing and never end the process. Each is loaded
// by its call, because configurations import this module too.

/**
 * Requests the schema of every deployment and updates the snapshots. A deployment that fails changes no snapshot; the
 * result reports it.
 *
 * @param options the project, and the selected deployments.
 * @returns the status of every deployment, and the written files.
 * @throws ConfigError before the first request if a key is missing or the configuration is invalid.
 * @throws SchemaError for a snapshot that cannot be read, and FileError for one that cannot be written.
 * @example
 * ```ts
 * import { introspect } from "lockflow";
 *
 * const { deployments, written } = await introspect({ cwd: ".", env: process.env });
 * console.log(deployments.map(({ status }) => status), written);
 * ```
 */
export async function introspect(options: IntrospectOptions): Promise<Introspection> {
  return (await import("./tasks/introspect.ts")).introspect(options);
}

/**
 * Generates typed documents and a manifest from the operations, like `lockflow generate`. If operations have errors, writes
 * no files.
 *
 * @param options the project.
 * @returns the findings, and the written files.
 * @throws OperationError if there are no operations, SchemaError for a missing or unreadable snapshot.
 * @throws ConfigError, and FileError for a file that cannot be written.
 * @example
 * ```ts
 * import { generate } from "lockflow";
 *
 * const { failed, written } = await generate({ cwd: "." });
 * console.log(failed.map(({ place, message }) => `${place?.file}:${place?.line} ${message}`), written);
 * ```
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  return (await import("./tasks/generate.ts")).generate(options);
}

/**
 * Compares the snapshots of each protocol: its two styles, and its chains with each other. Or compares any two schemas.
 *
 * @param options the project, the schemas to compare, and rules for the outcome.
 * @returns the report of `lockflow diff`, with details.
 * @throws SchemaError for a missing snapshot or an invalid schema.
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
  return (await import("./tasks/diff.ts")).diff(options);
}

/**
 * Requests the schema of every deployment and compares it with the snapshots.
 *
 * @param options the project, the selected deployments, and rules for the outcome.
 * @returns the report of `lockflow drift`, and the memory for the next run.
 * @throws ConfigError before the first request if a key is missing, or if `CI` is set in `env` and no host is configured.
 * @throws SchemaError for a missing snapshot, BaselineError, and MemoryError for an invalid memory of an earlier run.
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
  return (await import("./tasks/drift.ts")).drift(options);
}

/**
 * Checks whether all generated files are current and all operations are valid, like `lockflow check`. Changes none of your
 * files and sends no request.
 *
 * @param options the project, and rules for the outcome.
 * @returns the report of `lockflow check`.
 * @throws OperationError, SchemaError, ConfigError, BaselineError or FileError if something cannot be checked.
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
  return (await import("./tasks/check.ts")).check(options);
}

/**
 * Accepts findings with a reason, in `drift-accepted.json`; or removes entries that are not needed.
 *
 * @param options the project, and which findings to accept.
 * @returns the accepted findings, and the changes.
 * @throws BaselineError for an unknown finding, or one that has to be corrected instead.
 * @throws UsageError for an empty reason or an invalid date, ConfigError, FileError
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
  return (await import("./tasks/accept.ts")).accept(options);
}

/**
 * Shows the effects of a changed entity schema before it is deployed. Derives the API of every style and compares it with
 * the snapshot of that style.
 *
 * @param options the project, the entity schema, the schema to compare it with, and rules for the outcome.
 * @returns the report of `lockflow plan`, and the derived APIs. The report includes what a platform refuses.
 * @throws UsageError if the protocol is ambiguous, and for an unknown release.
 * @throws SchemaError for missing snapshots, FileError for a missing file or git ref, ConfigError, BaselineError
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
  return (await import("./tasks/plan.ts")).plan(options);
}

/**
 * Prepares an operation for some chains, like `lockflow ask`. Needs no generated code, and sends no request before rows are
 * read.
 *
 * @param options the project, the operation, its variables and chains.
 * @returns the columns and the rows.
 * @throws UsageError for unknown variables, chains and names, OperationError for an operation that cannot be sent.
 * @throws SchemaError for a missing or unreadable snapshot, FileError for such a file, and ConfigError.
 * @example
 * ```ts
 * import { ask } from "lockflow";
 *
 * const which = { operation: "AllStreams", protocol: "lockup", chains: ["base", 10], pages: true };
 * const { columns, rows } = await ask({ cwd: ".", env: process.env, ...which });
 * console.log(columns.map(({ name }) => name));
 * for await (const page of rows({ onChain: ({ chain, error }) => error && console.error(chain, error) })) {
 *   console.log(page.chain, page.rows.length);
 * }
 * ```
 */
export async function ask(options: AskOptions): Promise<Asked> {
  return (await import("./ask/ask.ts")).ask(options);
}

/**
 * Compiles portable operations to the documents of both styles, like `lockflow compile <operation>`. Returns the documents
 * with the applied rules, and writes nothing.
 *
 * @param options the project, and which operations.
 * @returns both texts of each, its variables, the applied rules, and the parts that are not portable.
 * @throws UsageError if the operation or protocol is ambiguous, FileError for a missing file.
 * @throws SchemaError for a missing or unreadable snapshot, and ConfigError.
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
  return (await import("./tasks/compile.ts")).compile(options);
}

/**
 * Turns the queries of a project into operations, like `lockflow port`. Nothing is written without `write`.
 *
 * @param options the project, and the files of its queries.
 * @returns what became of each operation, and the changes as a diff.
 * @throws UsageError if a pattern matches no file, SchemaError for a missing or unreadable snapshot, and ConfigError.
 * @example
 * ```ts
 * import { port } from "lockflow";
 *
 * const { operations } = await port({ cwd: ".", patterns: ["src"] });
 * for (const { name, result, reasons } of operations) console.log(name, result, reasons);
 * ```
 */
export async function port(options: PortOptions): Promise<Ported> {
  return (await import("./port/port.ts")).port(options);
}

/**
 * Writes the new names in the operations of a project after its schema was renamed, like `lockflow adapt`. Nothing is
 * written without `write`.
 *
 * @param options the project, the old schema, and renames to take as certain.
 * @returns what became of each operation, the renames, and the changes as a diff.
 * @throws UsageError for a rename that does not apply, FileError outside a repository, SchemaError and ConfigError.
 * @example
 * ```ts
 * import { adapt } from "lockflow";
 *
 * const { operations } = await adapt({ cwd: "." });
 * for (const { name, result, reasons, notes } of operations) console.log(name, result, reasons, notes);
 * ```
 */
export async function adapt(options: AdaptOptions): Promise<Adapted> {
  return (await import("./tasks/adapt.ts")).adapt(options);
}

/**
 * Derives the API schema that a platform serves for an entity schema, like `lockflow derive`.
 *
 * @param options the entity schema, the platform and its settings.
 * @returns the schema, as SDL and as the answer to the introspection query.
 * @throws SchemaError for entities that the platform refuses, with all of its reasons.
 * @throws UsageError for a release or a setting that the platform does not have.
 * @example
 * ```ts
 * import { derive } from "lockflow";
 *
 * const entities = "type Stream @entity(immutable: false) { id: ID! amount: BigInt! }";
 * console.log((await derive({ entities, style: "subgraph", release: "graph-node-0.40" })).sdl);
 * ```
 */
export async function derive(options: DeriveOptions): Promise<DerivedSchema> {
  return (await import("./tasks/derive.ts")).derive(options);
}

/**
 * Describes the data of a project's protocols, like `lockflow describe`: entities, fields, relations, enums, and the
 * operations that select them. Reads the snapshots and sends no request.
 *
 * @param options the project, and the entity, field, enum or word to look for.
 * @returns the entities and enums that were found; similar names if nothing was.
 * @throws SchemaError for a missing or unreadable snapshot, UsageError for an empty subject, and ConfigError.
 * @example
 * ```ts
 * import { describe } from "lockflow";
 *
 * const { entities } = await describe({ cwd: ".", subject: "Stream.sender" });
 * for (const { protocol, name, fields } of entities) console.log(protocol, name, fields);
 * ```
 */
export async function describe(options: DescribeOptions): Promise<DescribedData> {
  return (await import("./tasks/describe.ts")).describe(options);
}
