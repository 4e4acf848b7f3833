import { ConfigError } from "../base/errors.ts";
import type { Environment, Protocol, StyleName } from "../dialects/surface.ts";
import type { Lifecycle, Text } from "../runtime/manifest-types.ts";
import type { DeploymentConfig } from "./config.ts";
import type { Lifecycle as LifecycleResolveLifecycle } from "./lifecycle.ts";
import type { UrlTemplate } from "./url-template.ts";

/** One served indexer: a protocol in a style, and of a chain when it is a subgraph. */
export type Deployment = Lifecycle & {
  /** `<brand>-<protocol>-<suffix>`; a multichain deployment has the suffix `multichain`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Keys of the chains it serves: exactly one for a subgraph. */
  readonly chains: readonly string[];
  /** Keys of those it served until they were retired; left out where there are none. */
  readonly formerChains?: readonly string[];
  /** In the order of preference for introspection: testing first, where there is one. */
  readonly endpoints: readonly Endpoint[];
  /** Links for people, not endpoints; templates of their URLs, as configured. */
  readonly links: { readonly playground: Text | null; readonly explorer: Text | null };
};

/** One URL of a deployment. */
export type Endpoint = {
  readonly environment: Environment;
  readonly url: UrlTemplate;
  /** As far as is known. */
  readonly requiresKey: boolean;
  /** The variable of the key that is sent as `Authorization: Bearer`, to the host of `url` only. */
  readonly apiKey: { readonly env: string } | null;
  /** Headers to send with every request, besides `Authorization`. */
  readonly headers: Readonly<Record<string, Text>>;
  /** Queries allowed a day; null when no limit is known. */
  readonly dailyQueries: number | null;
  /** The most rows of a list; null when no limit is known. */
  readonly maxRows: number | null;
};

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
  general: LifecycleResolveLifecycle,
): LifecycleResolveLifecycle {
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
