import { categoryOf } from "../base/category-of.ts";
import { isMended } from "../report/build-file-finding.ts";
import { type Layer, SEVERITIES, type Severity } from "../report/finding.ts";
import { isIdentityFault } from "../report/identity-fault.ts";
import type { AcceptedFinding } from "../report/outcome.ts";

/**
 * From which severity on a finding fails a run by itself. By default none does that is about a schema: what
 * counts then is what it does to the operations.
 */
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

/**
 * Why a finding fails a run, or null when it does not. Every run fails by a finding that breaks an operation or its
 * types; by a fault of this repository's own or of an endpoint's identity; and by parity that is worse than accepted.
 *
 * What a change does to an operation is judged by that effect: a value that is gone is breaking to whoever sends it,
 * and not to an operation that reads it. What callers may send, and nobody is known to, is risky.
 *
 * @param failOnHealth whether a deployment fails a run that answers no more, or with the same block for ever.
 */
export function failureOf(
  finding: AcceptedFinding,
  failOn: FailOn,
  failOnHealth: boolean,
): FailureKind | null {
  if (finding.accepted) return null;
  if (isIdentityFault(finding)) return "is-another";
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
