import type { Report } from "../report.ts";

/** The chains of every deployment that a report knows, by its name. */
export function chainsByDeployment({
  endpoints,
  deployments = [],
}: Pick<Report, "endpoints" | "deployments">): ReadonlyMap<string, readonly string[]> {
  return new Map([...deployments, ...endpoints].map(({ deployment, chains }) => [deployment, chains]));
}
