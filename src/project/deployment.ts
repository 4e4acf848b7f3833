import type { Lifecycle, Text } from "../../packages/client/src/manifest/manifest-types.ts";
import type { Environment, Protocol, StyleName } from "../dialects/surface.ts";
import type { UrlTemplate } from "./url-template.ts";

/** One served indexer: a protocol in a style, and for a subgraph on one chain. */
export type Deployment = Lifecycle & {
  /** `<brand>-<protocol>-<suffix>`; a multichain deployment has the suffix `multichain`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Keys of the chains that it serves; exactly one for a subgraph. */
  readonly chains: readonly string[];
  /** Keys of retired chains that it served; left out if there are none. */
  readonly formerChains?: readonly string[];
  /** In order of preference for introspection: testing first, if it exists. */
  readonly endpoints: readonly Endpoint[];
  /** Links for people, as configured templates. */
  readonly links: { readonly playground: Text | null; readonly explorer: Text | null };
};

/** One URL of a deployment. */
export type Endpoint = {
  readonly environment: Environment;
  readonly url: UrlTemplate;
  /** False if unknown. */
  readonly requiresKey: boolean;
  /** The variable of the key, which is sent as `Authorization: Bearer` to the host of `url` only. */
  readonly apiKey: { readonly env: string } | null;
  /** Additional headers of every request. */
  readonly headers: Readonly<Record<string, Text>>;
  /** The maximum number of queries a day; null if unknown. */
  readonly dailyQueries: number | null;
  /** The maximum number of rows of a list; null if unknown. */
  readonly maxRows: number | null;
};
