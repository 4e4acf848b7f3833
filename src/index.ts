/**
 * What a configuration needs, the commands as functions, and the emulator for a test suite. Importing it loads next to
 * nothing.
 *
 * @packageDocumentation
 */

import { type Emulator, type EmulatorOptions, loadEmulator } from "./load-emulator.ts";

export type {
  AcceptOptions,
  AcceptResult,
  Asked,
  AskedChain,
  AskedRows,
  AskOptions,
  CheckOptions,
  CheckResult,
  Column,
  CompiledText,
  CompileOptions,
  DecidedFinding,
  DerivedSchema,
  DeriveOptions,
  DiffOptions,
  DiffResult,
  DriftOptions,
  DriftResult,
  Finding,
  GenerateOptions,
  GenerateResult,
  Introspection,
  IntrospectOptions,
  JudgingOptions,
  PagePlace,
  PlanOptions,
  PlanResult,
  Refusal,
  Report,
  RowsOptions,
} from "./api.ts";
export { accept, ask, check, compile, derive, diff, drift, generate, introspect, plan } from "./api.ts";
export { LockflowError } from "./base/errors/lockflow-error.ts";
export type { Emulator, EmulatorEndpoint, EmulatorOptions, Fault, FaultHandle } from "./load-emulator.ts";
export type { Config } from "./project/config.ts";
export { defineConfig, defineProtocol } from "./project/config.ts";
export type { Identity, ProtocolDefinition } from "./project/protocols/definition.ts";

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
