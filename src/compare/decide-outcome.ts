import { cached, compareCodeUnits } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import { surfaceId } from "../dialects/surface.ts";
import {
  type BookkeepingMark,
  categoryOf,
  isAboutFile,
  isIdentityMismatch,
  type Layer,
  SEVERITIES,
  type Severity,
  summarizeIdentity,
} from "../report/finding.ts";
import {
  type AcceptedFinding,
  type Category,
  type DecidedFinding,
  type EndpointReport,
  hasAnswered,
  isExcused,
  type Outcome,
} from "../report/outcome.ts";

/** The facts of a run, and the options that decide its outcome. */
export type OutcomeInput = {
  readonly findings: readonly AcceptedFinding[];
  /** Empty for a run without requests. */
  readonly endpoints: readonly EndpointReport[];
  readonly failOn: FailOn;
  readonly failOnHealth: boolean;
  readonly require: Requirement;
  /** The checked categories, which are reported even if they have no findings. */
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
    const mismatches = findings.filter((_, index) => failures[index] === "has-wrong-identity");
    const parts = FAILURE_KINDS.flatMap((kind) => {
      const times = failing.filter((other) => other === kind).length;
      return times === 0 || kind === "has-wrong-identity"
        ? []
        : [`${times} ${REASONS[kind](failOn, times === 1)}`];
    });
    const reasons = [...summarizeIdentity(mismatches), ...parts];
    return { exit: 1, reason: `${counted(failing.length, "finding")} to act on: ${reasons.join(", ")}` };
  }
  const shortfalls = findShortfalls(endpoints, require);
  if (shortfalls.length > 0) {
    const parts = shortfalls.map(
      ({ name, queried, answered, needed }) =>
        `${queried - answered} of ${counted(queried, `${name} endpoint`)} did not answer, and ${needed} must`,
    );
    return { exit: 3, reason: `inconclusive: ${parts.join("; ")}` };
  }
  // Without any answer, dormant deployments included, nothing was compared.
  const queried = endpoints.filter(({ status }) => status !== "skipped");
  if (queried.length > 0 && require.kind !== "none" && !queried.some(hasAnswered)) {
    return { exit: 3, reason: "inconclusive: no endpoint answered" };
  }
  return { exit: 0, reason: cleanReason(findings, endpoints) };
}

/** The words after the number of each kind of failure. Wrong identities are listed by name instead. */
const REASONS: Readonly<
  Record<Exclude<FailureKind, "has-wrong-identity">, (failOn: FailOn, isOne: boolean) => string>
> = {
  breaks: (_, isOne) => (isOne ? "breaks operations" : "break operations"),
  endangers: (_, isOne) => (isOne ? "puts operations at risk" : "put operations at risk"),
  retypes: (_, isOne) => (isOne ? "breaks the types of operations" : "break the types of operations"),
  redefines: (_, isOne) => `${isOne ? "changes" : "change"} the meaning of operations`,
  // Findings about files cannot be accepted.
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
  const required = endpoints.filter((endpoint) => !isExcused(endpoint));
  if (required.length > 0) {
    parts.push(`${required.filter(hasAnswered).length} of ${counted(required.length, "endpoint")} answered`);
  }
  return parts.join(", ");
}

function countCategories(findings: readonly DecidedFinding[], checked: readonly string[]): Category[] {
  const names = new Set([...checked, ...findings.map(categoryOf)]);
  return [...names].sort(compareCodeUnits).map((name) => {
    const ofCategory = findings.filter((finding) => categoryOf(finding) === name);
    return {
      name,
      findings: ofCategory.length,
      failing: ofCategory.filter(({ fails }) => fails).length,
      accepted: ofCategory.filter(({ accepted }) => accepted).length,
    };
  });
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** The severity from which a finding about a schema fails a run. By default, only its effect on operations decides. */
export type FailOn = "operations" | "breaking" | "risky" | "any";

/** Why a finding fails a run, worst first. */
export type FailureKind = (typeof FAILURE_KINDS)[number];

export const FAILURE_KINDS = [
  "has-wrong-identity",
  "breaks",
  "retypes",
  "redefines",
  "is-faulty",
  "is-breaking",
  "is-unwell",
  "endangers",
  "is-at-level",
] as const;

/** Returns why a finding fails a run; null if it does not. An affected operation is judged by the effect on it. */
export function failureOf(
  finding: AcceptedFinding & BookkeepingMark,
  failOn: FailOn,
  failOnHealth: boolean,
): FailureKind | null {
  if (finding.accepted) return null;
  if (isIdentityMismatch(finding)) return "has-wrong-identity";
  const { severity, layer, operations } = finding;
  if (operations.some(({ impact }) => impact === "broken")) return "breaks";
  const breaking = operations.filter((operation) => operation.severity === "breaking");
  if (breaking.some(({ impact }) => impact === "changes-type")) return "retypes";
  if (breaking.length > 0) return "redefines";
  if (finding.isBookkeeping) return null;
  const ownLevel = categoryOf(finding) === "parity" ? "risky" : SCHEMA_LAYERS.has(layer) ? null : "breaking";
  if (ownLevel !== null && isAtLeast(severity, ownLevel))
    return isAboutFile(finding) ? "is-faulty" : "is-breaking";
  if (failOnHealth && UNWELL.has(finding.code)) return "is-unwell";
  if (failOn === "operations") return null;
  const level = failOn === "any" ? "cosmetic" : failOn;
  const effects = operations.filter((operation) => isAtLeast(operation.severity, level));
  if (effects.some(({ impact }) => impact === "at-risk")) return "endangers";
  return effects.length > 0 || isAtLeast(severity, level) ? "is-at-level" : null;
}

const SCHEMA_LAYERS: ReadonlySet<Layer> = new Set(["entity", "platform", "docs"]);

/** Without findings that pass by themselves, such as a head that catches up. */
const UNWELL: ReadonlySet<string> = new Set(["health/endpoint-dead", "health/stuck"]);

function isAtLeast(severity: Severity, level: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(level);
}

/** The number of endpoints of each protocol and style that must answer; otherwise the run is inconclusive. */
export type Requirement =
  | { readonly kind: "all" | "any" | "none" }
  /** Of the queried endpoints, 1 to 100. */
  | { readonly kind: "percent"; readonly percent: number }
  /** A group with fewer endpoints needs all of them. */
  | { readonly kind: "count"; readonly count: number };

/** The default of `--require`. */
export const DEFAULT_REQUIREMENT: Requirement = { kind: "percent", percent: 80 };

/** Parses the value of `--require`. */
export function parseRequirement(text: string): Requirement {
  if (text === "all" || text === "any" || text === "none") return { kind: text };
  const match = /^quorum:(\d{1,6})(%?)$/.exec(text);
  const number = Number(match?.[1]);
  if (match?.[2] === "%" && number >= 1 && number <= 100) return { kind: "percent", percent: number };
  if (match?.[2] === "" && number >= 1) return { kind: "count", count: number };
  throw new UsageError({
    sentence: `--require must be all, any, none, quorum:80% or quorum:20; got "${text}".`,
  });
}

/**
 * Returns the protocols and styles with too few answers, in code-unit order. Skipped endpoints do not count, nor do dormant
 * ones without a schema.
 */
export function findShortfalls(
  endpoints: readonly Pick<EndpointReport, "protocol" | "style" | "status" | "lifecycle">[],
  requirement: Requirement,
) {
  const counts = new Map<string, { queried: number; answered: number }>();
  for (const endpoint of endpoints) {
    if (isExcused(endpoint)) continue;
    const count = cached(counts, surfaceId(endpoint), () => ({ queried: 0, answered: 0 }));
    count.queried++;
    if (hasAnswered(endpoint)) count.answered++;
  }
  return [...counts]
    .map(([name, count]) => ({ name, ...count, needed: countRequired(count.queried, requirement) }))
    .filter(({ answered, needed }) => answered < needed)
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

function countRequired(queried: number, requirement: Requirement): number {
  switch (requirement.kind) {
    case "all":
      return queried;
    case "any":
      return 1;
    case "none":
      return 0;
    case "percent":
      return Math.ceil((queried * requirement.percent) / 100);
    case "count":
      return Math.min(queried, requirement.count);
  }
}
