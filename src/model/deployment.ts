import type { Status } from "./chain.ts";
import type { Environment, Protocol, StyleName } from "./vocabulary.ts";

/** One served indexer: a protocol in a style, and of a chain when it is a subgraph. */
export type Deployment = {
  /** `<brand>-<protocol>-<suffix>`; a multichain deployment has the suffix `multichain`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Keys of the chains it serves: exactly one for a subgraph. */
  readonly chains: readonly string[];
  readonly status: Status;
  /** In the order of preference for introspection: testing first, where there is one. */
  readonly endpoints: readonly Endpoint[];
  /** Links for people, not endpoints. */
  readonly links: { readonly playground: string | null; readonly explorer: string | null };
};

/** One URL of a deployment. */
export type Endpoint = {
  readonly environment: Environment;
  /** Null while nothing configures it. */
  readonly url: string | null;
  /** Whether the endpoint answers nobody without a key, as far as is known. */
  readonly requiresKey: boolean;
  readonly auth: AuthRule;
  /** Headers to send with every request, besides `Authorization`. */
  readonly headers: Readonly<Record<string, HeaderValue>>;
  /** Queries allowed a day; null when no limit is known. */
  readonly dailyQueries: number | null;
};

/**
 * Who may see a key: it is read from an environment variable when a request is made, sent as
 * `Authorization: Bearer`, and to `host` only.
 */
export type AuthRule =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly env: string; readonly host: string };

/** A literal, or the name of the environment variable that holds it. */
export type HeaderValue = string | { readonly env: string };
