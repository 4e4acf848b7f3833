import { describeStatus } from "../runtime/describe-status.ts";
import type { Lifecycle as ListedLifecycle } from "../runtime/manifest-types.ts";

/** What became of a deployment or a chain, as the manifest lists it. */
export type Lifecycle = ListedLifecycle;

/** What became of it, without all else that is known of it. */
export function pickLifecycle({ status, since, reason, replacedBy }: Lifecycle): Lifecycle {
  return { status, ...(since && { since }), ...(reason && { reason }), ...(replacedBy && { replacedBy }) };
}

/** What reports show of a deployment's lifecycle: nothing while it is active. */
export function inactiveLifecycle(of: Lifecycle): {
  readonly lifecycle?: Lifecycle & { readonly status: "dormant" | "retired" };
} {
  const { status, ...rest } = pickLifecycle(of);
  return status === "active" ? {} : { lifecycle: { status, ...rest } };
}

/** What became of it as a sentence: `It was retired in 2025-07: nobody pays for it.` */
export function describeLifecycle(lifecycle: Lifecycle): string {
  const verb = lifecycle.since === undefined ? "is" : lifecycle.status === "retired" ? "was" : "has been";
  return `It ${verb} ${describeStatus(lifecycle)}.`;
}
