import { groupBy } from "../base/collections.ts";
import { listSome } from "../base/text.ts";
import type { Place } from "../dialects/locate.ts";
import type { Protocol, StyleName } from "../dialects/surface.ts";

/** A judged fact to report. Never an exception: a run collects all of them and decides once. */
export type Finding = {
  /** Stable, for programs: `drift/field-removed`. */
  readonly code: string;
  readonly severity: Severity;
  readonly layer: Layer;
  /** What it is about: an operation, a file, a deployment, a coordinate. */
  readonly subject: string;
  /** What is found, for people. */
  readonly message: string;
  /** The coordinate of the schema it is about, in the notation of the GraphQL specification. */
  readonly coordinate: string | null;
  /** What stood there; null where nothing did. */
  readonly before: string | null;
  /** What stands there now; null where nothing does. */
  readonly after: string | null;
  /** How many more coordinates changed because of this one. */
  readonly derived: number;
  /** These coordinates, each once, in code-unit order; absent where they are findings of their own, or none. */
  readonly derivedCoordinates?: readonly string[];
  /** The derived changes that make the finding as severe as it is; absent where the change itself is. */
  readonly worstDerived?: readonly DerivedChange[];
  /** What serves it; null when it is about files, or about deployments of more than one protocol or style. */
  readonly where: Where | null;
  /** The operations it touches, and where in them. */
  readonly operations: readonly OperationImpact[];
  /** Where to look, if it is in a file: a path from the project's root, 1-based line and column. */
  readonly place: Place | null;
  /** What to do about it: a sentence that names the next command. */
  readonly fix: string | null;
  /** Given where it is about a column that the platform keeps for itself: it fails no run that needs none of it. */
  readonly isBookkeeping?: true;
};

/** A change that follows from another. */
export type DerivedChange = {
  /** What changed. */
  readonly coordinate: string;
  /** What stood there; null where nothing did. */
  readonly before: string | null;
  /** What stands there now; null where nothing does. */
  readonly after: string | null;
};

/**
 * How much a change is to a client nobody knows.
 * - `breaking`: what was accepted may be refused, or an expectation of typed code be violated.
 * - `risky`: still accepted, but an answer, its type or its meaning may change.
 * - `additive`: only new possibilities.
 * - `cosmetic`: documentation, deprecation, order.
 */
export type Severity = (typeof SEVERITIES)[number];

/** Worst first. */
export const SEVERITIES = ["breaking", "risky", "additive", "cosmetic"] as const;

/** What a finding is about: `entity` is what the indexer's authors wrote, `platform` what is added to it. */
export type Layer = (typeof LAYERS)[number];

/** Every layer. */
export const LAYERS = [
  "entity",
  "platform",
  "docs",
  "identity",
  "health",
  "operation",
  "portable",
  "generated",
  "snapshot",
  "baseline",
  "plan",
] as const;

/** What serves the subject of a finding. */
export type Where = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Names in code-unit order; empty when it is about the snapshot itself. */
  readonly deployments: readonly string[];
};

/**
 * What a change does to an operation, worst first.
 * - `broken`: the operation is not valid any more.
 * - `at-risk`: it is valid, but what callers may send through a variable would be refused. Nobody is known to.
 * - `changes-type`: an answer or a variable has another type.
 * - `changes-meaning`: a default it relies on is another.
 * - `deprecated`: it uses what is newly deprecated.
 */
export type ImpactKind = (typeof IMPACT_KINDS)[number];

export const IMPACT_KINDS = ["broken", "at-risk", "changes-type", "changes-meaning", "deprecated"] as const;

/** One place of an operation that a finding touches. */
export type OperationImpact = {
  /** Of the operation. */
  readonly name: string;
  readonly impact: ImpactKind;
  /** How much it is to this operation, whatever the change is to others. */
  readonly severity: Severity;
  /** What becomes of the operation, for people. */
  readonly message: string;
  /** Path of the operation's file, from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
};

/** What the findings of a code have in common; `docs/findings.md` explains what it stands for. */
export type Code = {
  /** Absent where the facts of a finding decide. */
  readonly severity?: Severity;
  readonly message?: string | ((...facts: never[]) => string);
  /** Absent where the facts of a finding decide. */
  readonly fix?: string;
};

/** The facts that the message of a code is made of. */
export type FactsOf<T extends Code> = T["message"] extends (...facts: infer Facts) => string ? Facts : [];

/** What a finding of a code says of its facts. */
export function messageOf({ message = "" }: Code, facts: readonly unknown[]): string {
  return typeof message === "string"
    ? message
    : (message as (...given: readonly unknown[]) => string)(...facts);
}

/** Whether a finding is of what nothing can be made of, or what may break who relies on it. */
export function isBreaking({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "breaking";
}

/** Findings without those that say the same of the same place again: what has two causes or two owners is said once. */
export function uniqueFindings(findings: readonly Finding[]): Finding[] {
  const unique = new Map<string, Finding>();
  for (const finding of findings) {
    const { subject, code, place, message } = finding;
    const key = JSON.stringify([subject, code, place, message]);
    if (!unique.has(key)) unique.set(key, finding);
  }
  return [...unique.values()];
}

/** Whether a finding says that a deployment is not who the manifest says. Whatever else is found of it matters less. */
export function isIdentityMismatch({ layer, severity }: Pick<Finding, "layer" | "severity">): boolean {
  return layer === "identity" && severity === "breaking";
}

/** Whose identity is wrong in a few words, one for each kind: `wrong chain (protocol-lockup-base)`. */
export function summarizeIdentity(findings: readonly Finding[]): string[] {
  const kinds = groupBy(findings.filter(isIdentityMismatch), ({ code }) => code);
  return [...kinds]
    .map(([code, found]) => {
      const names = new Set(found.flatMap(({ where, subject }) => where?.deployments ?? [subject]));
      const kind = code.slice(code.indexOf("/") + 1).replaceAll("-", " ");
      return `${kind} (${listSome([...names].sort(), 3)})`;
    })
    .sort();
}

/** The first part of a code: `drift` of `drift/field-removed`. */
export function categoryOf({ code }: { readonly code: string }): string {
  return code.split("/", 1)[0] ?? code;
}
