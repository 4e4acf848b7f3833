import type { LockflowError } from "../base/errors/lockflow-error.ts";
import type { Deployment } from "../project/deployment.ts";
import type { ProbeReading } from "../styles/style.ts";
import type { SchemaReading } from "./read-schema.ts";

/** What became of one deployment. */
export type Outcome = Introspected | Failed;

export type Introspected = {
  readonly kind: "introspected";
  readonly deployment: Deployment;
  readonly reading: SchemaReading;
  readonly probe: ProbeReading;
  /** Worth saying, but no failure. */
  readonly notes: readonly string[];
};

export type Failed = {
  readonly kind: "failed";
  readonly deployment: Deployment;
  readonly error: LockflowError;
  /** What it said of itself before it failed, as one that serves another chain does; null for most. */
  readonly probe: ProbeReading | null;
};
