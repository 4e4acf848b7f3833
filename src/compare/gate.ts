import { UsageError } from "../errors/usage-error.ts";
import { type Layer, SEVERITIES, type Severity } from "../model/finding.ts";
import type { AcceptedFinding } from "../model/outcome.ts";
import { categoryOf } from "../utils/category-of.ts";

/**
 * From which severity on a finding fails a run by itself. By default none does that is about a schema: what
 * counts then is what it does to the operations.
 */
export type FailOn = "operations" | "breaking" | "risky" | "any";

/**
 * Parses the value of `--fail-on`.
 *
 * @throws UsageError
 */
export function parseFailOn(text: string): FailOn {
  if (text === "breaking" || text === "risky" || text === "any") return text;
  throw new UsageError({ sentence: `--fail-on takes breaking, risky or any, not "${text}".` });
}

/** Why a finding fails a run, worst first. */
export type FailureKind = (typeof FAILURE_KINDS)[number];

export const FAILURE_KINDS = ["breaks", "endangers", "retypes", "is-breaking", "is-at-level"] as const;

/**
 * Why a finding fails a run, or null when it does not. Every run fails by a finding that breaks an operation,
 * puts it at risk or breaks its types; by a fault of this repository's own or of an endpoint's identity; and by
 * parity that is worse than accepted.
 */
export function failureOf(finding: AcceptedFinding, failOn: FailOn): FailureKind | null {
  if (finding.accepted) return null;
  const { severity, layer, operations } = finding;
  const impacts = new Set(operations.map(({ impact }) => impact));
  if (impacts.has("broken")) return "breaks";
  if (impacts.has("at-risk")) return "endangers";
  if (impacts.has("changes-type") && severity === "breaking") return "retypes";
  const ownLevel = categoryOf(finding) === "parity" ? "risky" : SCHEMA_LAYERS.has(layer) ? null : "breaking";
  if (ownLevel !== null && isAtLeast(severity, ownLevel)) return "is-breaking";
  return failOn !== "operations" && (failOn === "any" || isAtLeast(severity, failOn)) ? "is-at-level" : null;
}

const SCHEMA_LAYERS: ReadonlySet<Layer> = new Set(["entity", "platform", "docs"]);

function isAtLeast(severity: Severity, level: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(level);
}
