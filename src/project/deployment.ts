import type { Lifecycle, Text } from "../../packages/client/src/manifest/manifest-types.ts";
import type { Environment, Protocol, StyleName } from "../dialects/surface.ts";
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
