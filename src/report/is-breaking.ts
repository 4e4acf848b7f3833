import type { Finding } from "./finding.ts";

/** Whether a finding is of what nothing can be made of, or what may break who relies on it. */
export function isBreaking({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "breaking";
}
