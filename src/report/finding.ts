import { listSome } from "../base/clean-text.ts";
import { groupBy } from "../base/collections.ts";
import type { Finding, Layer, Severity } from "./types.ts";

/** Whether a finding is about a file of this repository: such a thing is corrected, and never accepted. */
export function isAboutFile({ layer }: Pick<Finding, "layer">): boolean {
  return FILE_LAYERS.includes(layer);
}

/** The layers whose findings are about files and not about what is served. */
export const FILE_LAYERS: readonly Layer[] = [
  "operation",
  "portable",
  "generated",
  "snapshot",
  "baseline",
  "plan",
];

export type {
  DerivedChange,
  Finding,
  ImpactKind,
  Layer,
  OperationImpact,
  Severity,
  Where,
} from "./types.ts";

/** Worst first. */
export const SEVERITIES = ["breaking", "risky", "additive", "cosmetic"] as const;

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

/** Worst first. */
export const IMPACT_KINDS = ["broken", "at-risk", "changes-type", "changes-meaning", "deprecated"] as const;

/** Marks a finding about a column that the platform keeps for itself: it only fails a run that breaks operations. */
export type BookkeepingMark = { readonly isBookkeeping?: true };

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

/** The operations that a finding touches, with the protocol and style of each: in a joined finding they differ. */
export function placedOperations({ where, operations }: Pick<Finding, "where" | "operations">) {
  if (where === null) return operations;
  const { protocol, style } = where;
  return operations.map((operation) => ({ protocol, style, ...operation }));
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
