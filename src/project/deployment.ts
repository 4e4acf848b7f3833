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
  /** Links for people, not endpoints; templates of their URLs, as configured. */
  readonly links: { readonly playground: Text | null; readonly explorer: Text | null };
};

/** One URL of a deployment. */
export type Endpoint = {
  readonly environment: Environment;
  /** Null while environment variables decide it. */
  readonly url: string | null;
  /** What its URL is made of; null for one that is known as it is. */
  readonly template: UrlTemplate | null;
  /** Whether the endpoint answers nobody without a key, as far as is known. */
  readonly requiresKey: boolean;
  readonly auth: AuthRule;
  /** Headers to send with every request, besides `Authorization`. */
  readonly headers: Readonly<Record<string, Text>>;
  /** Queries allowed a day; null when no limit is known. */
  readonly dailyQueries: number | null;
};

/** A URL with `{placeholders}`, some of whose parts may be in environment variables. */
export type UrlTemplate = {
  readonly text: Text;
  /** What each placeholder stands for, in pieces; undefined for one that is known and has no value. */
  readonly values: Readonly<Record<string, readonly TextSource[] | undefined>>;
  /** The placeholder without which several deployments would have this one URL. */
  readonly requires: string | null;
  /** The key of the configuration it stands under, for messages. */
  readonly place: string;
  /** The variables it needs that the configuration does not name. Without any of them nothing configures it. */
  readonly defaults: readonly string[];
};

/**
 * Who may see a key: it is read from an environment variable when a request is made, sent as
 * `Authorization: Bearer`, and to `host` only. `host` is null until the variables of the URL are read.
 */
export type AuthRule =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly env: string; readonly host: string | null };

/** A text as it is, or the name of the environment variable that holds it. */
export type Text = string | { readonly env: string };

/** The same; `or` stands in for a variable that is not set. */
export type TextSource = Text | { readonly env: string; readonly or: string };
