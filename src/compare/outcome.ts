import { categoryOf } from "../base/category-of.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { summarizeIdentity } from "../report/identity-mismatch.ts";
import {
  type AcceptedFinding,
  type Category,
  type DecidedFinding,
  type EndpointReport,
  hasAnswered,
  isExcused,
  type Outcome,
} from "../report/outcome.ts";
import { FAILURE_KINDS, type FailOn, type FailureKind, failureOf } from "./gate.ts";
import { findUnmet, type Requirement } from "./require.ts";

/** What a run has come to, and what it is judged by. */
export type OutcomeInput = {
  readonly findings: readonly AcceptedFinding[];
  /** Empty for a run that asks nobody. */
  readonly endpoints: readonly EndpointReport[];
  readonly failOn: FailOn;
  readonly failOnHealth: boolean;
  readonly require: Requirement;
  /** Categories that were looked at, so that nothing found in one is said too. */
  readonly categories: readonly string[];
  /** Why the run could not be done, as a clause; null when it could. */
  readonly failure: string | null;
};

/** Decides how a run ended: exit 2 goes before 1, 1 before 3, 3 before 0. */
export function decideOutcome(input: OutcomeInput): {
  readonly outcome: Outcome;
  readonly findings: readonly DecidedFinding[];
} {
  const failures = input.findings.map((finding) => failureOf(finding, input.failOn, input.failOnHealth));
  const findings = input.findings.map((finding, index) => ({
    ...finding,
    fails: (failures[index] ?? null) !== null,
  }));
  const categories = countCategories(findings, input.categories);
  return { outcome: { ...endOf(input, failures), categories }, findings };
}

function endOf(
  { findings, endpoints, failOn, require, failure }: OutcomeInput,
  failures: readonly (FailureKind | null)[],
): Pick<Outcome, "exit" | "reason"> {
  if (failure !== null) return { exit: 2, reason: `could not run: ${failure}` };
  const failing = failures.filter((kind) => kind !== null);
  if (failing.length > 0) {
    const others = findings.filter((_, index) => failures[index] === "is-another");
    const parts = FAILURE_KINDS.flatMap((kind) => {
      const times = failing.filter((other) => other === kind).length;
      return times === 0 || kind === "is-another" ? [] : [`${times} ${REASONS[kind](failOn, times === 1)}`];
    });
    const reasons = [...summarizeIdentity(others), ...parts];
    return { exit: 1, reason: `${counted(failing.length, "finding")} to act on: ${reasons.join(", ")}` };
  }
  const unmet = findUnmet(endpoints, require);
  if (unmet.length > 0) {
    const parts = unmet.map(
      ({ name, asked, answered, needed }) =>
        `${asked - answered} of ${counted(asked, `${name} endpoint`)} did not answer, and ${needed} must`,
    );
    return { exit: 3, reason: `inconclusive: ${parts.join("; ")}` };
  }
  // Not even what is dormant: nothing at all was compared.
  const asked = endpoints.filter(({ status }) => status !== "skipped");
  if (asked.length > 0 && require.kind !== "none" && !asked.some(hasAnswered)) {
    return { exit: 3, reason: "inconclusive: no endpoint answered" };
  }
  return { exit: 0, reason: cleanReason(findings, endpoints) };
}

/** What each kind of failure is called behind its number; who is somebody else is named instead. */
const REASONS: Readonly<
  Record<Exclude<FailureKind, "is-another">, (failOn: FailOn, isOne: boolean) => string>
> = {
  breaks: (_, isOne) => (isOne ? "breaks operations" : "break operations"),
  endangers: (_, isOne) => (isOne ? "puts operations at risk" : "put operations at risk"),
  retypes: (_, isOne) => (isOne ? "breaks the types of operations" : "break the types of operations"),
  // What is wrong in a file is never accepted, so nobody is sent to try.
  "is-faulty": () => "to correct",
  "is-breaking": () => "to correct or accept",
  "is-unwell": (_, isOne) => `${isOne ? "is" : "are"} about dead or stuck deployments`,
  "is-at-level": (failOn) => `at or above --fail-on ${failOn}`,
};

function cleanReason(findings: readonly AcceptedFinding[], endpoints: readonly EndpointReport[]): string {
  const accepted = findings.filter((finding) => finding.accepted).length;
  const tolerated = findings.length - accepted;
  const parts = [
    tolerated === 0 ? "nothing to act on" : `${counted(tolerated, "finding")}, none to act on`,
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
  ];
  const asked = endpoints.filter((endpoint) => !isExcused(endpoint));
  if (asked.length > 0) {
    parts.push(`${asked.filter(hasAnswered).length} of ${counted(asked.length, "endpoint")} answered`);
  }
  return parts.join(", ");
}

function countCategories(findings: readonly DecidedFinding[], looked: readonly string[]): Category[] {
  const names = new Set([...looked, ...findings.map(categoryOf)]);
  return [...names].sort(compareCodeUnits).map((name) => {
    const own = findings.filter((finding) => categoryOf(finding) === name);
    return {
      name,
      findings: own.length,
      failing: own.filter(({ fails }) => fails).length,
      accepted: own.filter(({ accepted }) => accepted).length,
    };
  });
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
