import { listSome } from "../base/list-some.ts";
import type { Finding } from "./finding.ts";

/** Whether a finding says that a deployment is not who the manifest says. Whatever else is found of it matters less. */
export function isIdentityFault({ layer, severity }: Pick<Finding, "layer" | "severity">): boolean {
  return layer === "identity" && severity === "breaking";
}

/** The faults of identity among findings in a few words, one for each kind: `wrong chain (protocol-lockup-base)`. */
export function summarizeIdentity(findings: readonly Finding[]): string[] {
  const kinds = new Map<string, Set<string>>();
  for (const { code, subject, where } of findings.filter(isIdentityFault)) {
    const kind = code.slice(code.indexOf("/") + 1).replaceAll("-", " ");
    const names = kinds.get(kind) ?? new Set();
    for (const name of where?.deployments ?? [subject]) names.add(name);
    kinds.set(kind, names);
  }
  return [...kinds].map(([kind, names]) => `${kind} (${listSome([...names].sort(), FEW)})`).sort();
}

const FEW = 3;
