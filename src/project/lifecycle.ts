import { describeStatus } from "../../packages/client/src/manifest/build-endpoint.ts";
import type { Lifecycle as ListedLifecycle } from "../../packages/client/src/manifest/manifest-types.ts";
import { ConfigError } from "../base/errors.ts";
import type { DeploymentConfig, LifecycleConfig } from "./config.ts";

/** The status of a deployment or a chain, since when and why, as the manifest lists it. */
export type Lifecycle = ListedLifecycle;

/** Picks the lifecycle from a deployment or a chain. */
export function pickLifecycle({ status, since, reason, replacedBy }: Lifecycle): Lifecycle {
  return { status, ...(since && { since }), ...(reason && { reason }), ...(replacedBy && { replacedBy }) };
}

/** Returns the lifecycle for a report: nothing while it is active. */
export function inactiveLifecycle(of: Lifecycle): {
  readonly lifecycle?: Lifecycle & { readonly status: "dormant" | "retired" };
} {
  const { status, ...rest } = pickLifecycle(of);
  return status === "active" ? {} : { lifecycle: { status, ...rest } };
}

/** Describes a lifecycle in a sentence: `It was retired in 2025-07: the chain was shut down.` */
export function describeLifecycle(lifecycle: Lifecycle): string {
  const verb = lifecycle.since === undefined ? "is" : lifecycle.status === "retired" ? "was" : "has been";
  return `It ${verb} ${describeStatus(lifecycle)}.`;
}

/**
 * Resolves the lifecycle of a deployment or a chain.
 *
 * @param place the key in the configuration: `deployments.protocol-flow-form`.
 * @param general the default: for a deployment, the lifecycle of its chain.
 * @throws ConfigError if it is active and has a date or a reason.
 */
export function resolveLifecycle(
  place: string,
  { status, ...override }: LifecycleConfig & Pick<DeploymentConfig, "replacedBy">,
  general: Lifecycle,
): Lifecycle {
  const listed = status === undefined || status === general.status ? general : { status };
  const { since = listed.since, reason = listed.reason, replacedBy = listed.replacedBy } = override;
  const facts = Object.entries({ since, reason, replacedBy }).filter(([, value]) => value !== undefined);
  const [[key] = []] = facts;
  if (listed.status === "active" && key !== undefined) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `"${place}.${key}" is set, but the status is "active".`,
      hint: `add status: "dormant" or status: "retired", or remove "${key}".`,
    });
  }
  return { status: listed.status, ...Object.fromEntries(facts) };
}
