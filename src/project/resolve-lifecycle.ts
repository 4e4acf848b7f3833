import { ConfigError } from "../base/errors/config-error.ts";
import type { DeploymentConfig } from "./config.ts";
import type { Lifecycle } from "./lifecycle.ts";

type LifecycleConfig = Pick<DeploymentConfig, "status" | "since" | "reason" | "replacedBy">;

/**
 * Resolves what became of a deployment or a chain, without what nobody says.
 *
 * @param place what is configured: `deployments.protocol-flow-form`.
 * @param general what holds where it says nothing of its own: of a deployment, what became of its chain.
 * @throws ConfigError where it says since when or why of what is in use.
 */
export function resolveLifecycle(
  place: string,
  { status, ...own }: LifecycleConfig,
  general: Lifecycle,
): Lifecycle {
  const known = status === undefined || status === general.status ? general : { status };
  const since = own.since ?? known.since;
  const reason = own.reason ?? known.reason;
  const replacedBy = own.replacedBy ?? known.replacedBy;
  const told = Object.entries({ since, reason, replacedBy }).filter(([, value]) => value !== undefined);
  const [[key] = []] = told;
  if (known.status === "active" && key !== undefined) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `"${place}.${key}" tells what became of it, and its status is "active".`,
      hint: `add status: "dormant" or status: "retired", or take "${key}" away.`,
    });
  }
  return { status: known.status, ...Object.fromEntries(told) };
}
