import { groupBy } from "../base/group-by.ts";
import { listSome } from "../base/list-some.ts";
import type { Finding } from "./finding.ts";

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
