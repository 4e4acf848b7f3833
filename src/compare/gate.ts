import { categoryOf } from "../base/category-of.ts";
import { isMended } from "../report/build-file-finding.ts";
import { type Layer, SEVERITIES, type Severity } from "../report/finding.ts";
import { isIdentityMismatch } from "../report/identity-mismatch.ts";
import type { AcceptedFinding } from "../report/outcome.ts";

/** From which severity on a finding about a schema fails a run; by default what it does to operations decides. */
export type FailOn = "operations" | "breaking" | "risky" | "any";

/** Why a finding fails a run, worst first. */
export type FailureKind = (typeof FAILURE_KINDS)[number];

export const FAILURE_KINDS = [
  "is-another",
  "breaks",
  "retypes",
  "is-faulty",
  "is-breaking",
  "is-unwell",
  "endangers",
  "is-at-level",
] as const;

/** Why a finding fails a run, or null: what a change does to an operation is judged by that effect. */
export function failureOf(
  finding: AcceptedFinding,
  failOn: FailOn,
  failOnHealth: boolean,
): FailureKind | null {
  if (finding.accepted) return null;
  if (isIdentityMismatch(finding)) return "is-another";
  const { severity, layer, operations } = finding;
  if (operations.some(({ impact }) => impact === "broken")) return "breaks";
  if (operations.some((operation) => operation.severity === "breaking")) return "retypes";
  if (finding.isBookkeeping) return null;
  const ownLevel = categoryOf(finding) === "parity" ? "risky" : SCHEMA_LAYERS.has(layer) ? null : "breaking";
  if (ownLevel !== null && isAtLeast(severity, ownLevel))
    return isMended(finding) ? "is-faulty" : "is-breaking";
  if (failOnHealth && UNWELL.has(finding.code)) return "is-unwell";
  if (failOn === "operations") return null;
  const level = failOn === "any" ? "cosmetic" : failOn;
  const hits = operations.filter((operation) => isAtLeast(operation.severity, level));
  if (hits.some(({ impact }) => impact === "at-risk")) return "endangers";
  return hits.length > 0 || isAtLeast(severity, level) ? "is-at-level" : null;
}

const SCHEMA_LAYERS: ReadonlySet<Layer> = new Set(["entity", "platform", "docs"]);

/** What passes by itself, such as a head that catches up, is not among them. */
const UNWELL: ReadonlySet<string> = new Set(["health/endpoint-dead", "health/stuck"]);

function isAtLeast(severity: Severity, level: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(level);
}
