import { listSome } from "../base/clean-text.ts";
import { groupBy } from "../base/collections.ts";
import type { Finding, Severity } from "./types.ts";

/** Returns whether a finding is about a file of this repository. Files are corrected, so these findings are never accepted. */
export function isAboutFile({ layer }: Pick<Finding, "layer">): boolean {
  return FILE_LAYERS.some((name) => name === layer);
}

export type * from "./types.ts";

/** Worst first. */
export const SEVERITIES = ["breaking", "risky", "additive", "cosmetic"] as const;

/** The layers whose findings are about files, not about schemas that are served. */
export const FILE_LAYERS = ["operation", "portable", "generated", "snapshot", "baseline", "plan"] as const;

/** Every layer. */
export const LAYERS = ["entity", "platform", "docs", "identity", "health", ...FILE_LAYERS] as const;

/** Worst first. */
export const IMPACT_KINDS = ["broken", "at-risk", "changes-type", "changes-meaning", "deprecated"] as const;

/** Marks a finding about a column that the platform keeps for itself: it only fails a run that breaks operations. */
export type BookkeepingMark = { readonly isBookkeeping?: true };

/** The common parts of the findings of a code. `docs/findings.md` explains each code. */
export type Code = {
  /** Absent where the facts of a finding decide. */
  readonly severity?: Severity;
  readonly message?: string | ((...facts: never[]) => string);
  /** Absent where the facts of a finding decide. */
  readonly fix?: string;
};

/** The arguments of a code's message. */
export type FactsOf<T extends Code> = T["message"] extends (...facts: infer Facts) => string ? Facts : [];

/** Returns the message of a code for these facts. */
export function messageOf({ message = "" }: Code, facts: readonly unknown[]): string {
  return typeof message === "string"
    ? message
    : (message as (...facts: readonly unknown[]) => string)(...facts);
}

/** Returns whether a finding breaks its users. */
export function isBreaking({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "breaking";
}

/** Returns the findings without duplicates: one with two causes or two owners is reported once. */
export function uniqueFindings(findings: readonly Finding[]): Finding[] {
  const unique = new Map<string, Finding>();
  for (const finding of findings) {
    const { subject, code, place, message } = finding;
    const key = JSON.stringify([subject, code, place, message]);
    if (!unique.has(key)) unique.set(key, finding);
  }
  return [...unique.values()];
}

/** Returns the affected operations with the protocol and style of each: in a joined finding they differ. */
export function placedOperations({ where, operations }: Pick<Finding, "where" | "operations">) {
  if (where === null) return operations;
  const { protocol, style } = where;
  return operations.map((operation) => ({ protocol, style, ...operation }));
}

/** Returns whether a deployment is not the one in the manifest. Its other findings matter less. */
export function isIdentityMismatch({ layer, severity }: Pick<Finding, "layer" | "severity">): boolean {
  return layer === "identity" && severity === "breaking";
}

/** Names the deployments with a wrong identity, one text for each kind: `wrong chain (protocol-lockup-base)`. */
export function summarizeIdentity(findings: readonly Finding[]): string[] {
  const kinds = groupBy(findings.filter(isIdentityMismatch), ({ code }) => code);
  return [...kinds]
    .map(([code, group]) => {
      const names = new Set(group.flatMap(({ where, subject }) => where?.deployments ?? [subject]));
      const kind = code.slice(code.indexOf("/") + 1).replaceAll("-", " ");
      return `${kind} (${listSome([...names].sort(), 3)})`;
    })
    .sort();
}

/** The first part of a code: `drift` of `drift/field-removed`. */
export function categoryOf({ code }: { readonly code: string }): string {
  return code.split("/", 1)[0] ?? code;
}
