import { chooseEndpoints } from "../../../fleet/choose-endpoints.ts";
import { hasHost } from "../../../project/variables.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok } from "../check-result.ts";

/**
 * What may be asked of endpoints that count. None of them says how much is left until nothing is: then it answers
 * HTTP 429, which the check of the endpoints shows.
 */
export function checkQuota({ project, environment, env }: ProjectContext): CheckResult[] {
  if (!hasHost(project, env)) return [];
  const limits = chooseEndpoints(project.deployments, environment, env).chosen.flatMap(({ endpoint }) =>
    endpoint.dailyQueries === null ? [] : [endpoint.dailyQueries],
  );
  if (limits.length === 0) return [ok("No limit is known of what these endpoints may be asked.")];
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  const limit = least === most ? `${least}` : `${least} to ${most}`;
  return [
    ok(
      `${limits.length} endpoints take ${limit} queries a day each, shared by all who ask them. They do not tell what is left; a refresh asks two.`,
    ),
  ];
}
