import type { Environment, StyleName } from "../../src/dialects/surface.ts";
import type { EmulatedUrl, NamedChain } from "../indexers/emulated-deployment.ts";

/** The argument of the option `endpoint` of a generated client. */
export type EndpointQuestion = {
  /** The key of a protocol. */
  readonly protocol: string;
  readonly style: StyleName;
  /** The key or the id of a chain. */
  readonly chain?: string | number | undefined;
  /** @default "production" */
  readonly environment?: Environment | undefined;
};

/** An endpoint as the option `endpoint` of a generated client returns it. */
export type EmulatedTarget = {
  /** Where to send GraphQL requests. */
  readonly url: string;
  /** The HTTP method. */
  readonly method: "POST";
  /** With an accepted key, which is not a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: no variable is read. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** Null, because no key is read from a variable. */
  readonly auth: null;
  /** The limits that a client needs. */
  readonly limits: { readonly dailyQueries: null };
  /** The emulator has no such page. */
  readonly playground: null;
  /** The emulator has no such page. */
  readonly explorer: null;
  /** The deployment's name. */
  readonly deployment: string;
  /** The keys of the chains that it serves. */
  readonly chains: readonly string[];
};

type Served = {
  readonly chains: readonly NamedChain[];
  /** The keys that the URLs of each style accept. */
  readonly keys: Readonly<Record<StyleName, string>>;
};

/** Finds the URL that serves a chain in an environment; null if none does. */
export function findEndpoint(
  urls: readonly EmulatedUrl[],
  { chains, keys }: Served,
  { protocol, style, chain, environment = "production" }: EndpointQuestion,
): EmulatedTarget | null {
  const chainId = chains.find((namedChain) => namedChain.key === chain)?.chainId ?? chain;
  const match = urls.find(
    ({ deployment, environment: served }) =>
      served === environment &&
      deployment.protocol === protocol &&
      deployment.style === style &&
      (chain === undefined || deployment.chainIds.some((id) => id === chainId)),
  );
  if (match === undefined) return null;
  const { deployment, url } = match;
  return {
    url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(environment === "production" && { authorization: `Bearer ${keys[style]}` }),
    },
    secretHeaders: {},
    auth: null,
    limits: { dailyQueries: null },
    playground: null,
    explorer: null,
    deployment: deployment.name,
    chains: deployment.chainIds.map(
      (id) => chains.find((namedChain) => namedChain.chainId === id)?.key ?? String(id),
    ),
  };
}
