import type { Environment, StyleName } from "../../src/dialects/surface.ts";
import type { EmulatedDeployment, NamedChain } from "../indexers/emulated-deployment.ts";

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

type ServedUrl = {
  readonly deployment: EmulatedDeployment;
  readonly environment: Environment;
  readonly url: string;
};

/** Finds the URL that serves a chain in an environment; null if none does. */
export function findEndpoint(
  urls: readonly ServedUrl[],
  { chains, keys }: { readonly chains: readonly NamedChain[]; readonly keys: Keys },
  { protocol, style, chain, environment = "production" }: EndpointQuestion,
): EmulatedTarget | null {
  const chainId = chains.find((namedChain) => namedChain.key === chain)?.chainId ?? chain;
  const own = urls.filter(
    ({ deployment }) =>
      deployment.protocol === protocol &&
      deployment.style === style &&
      (chain === undefined || deployment.chainIds.some((id) => id === chainId)),
  );
  const found = own.find((servedUrl) => servedUrl.environment === environment);
  if (!found) return null;
  const { deployment, url } = found;
  const key = keys[style];
  return {
    url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(environment === "production" && { authorization: `Bearer ${key}` }),
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

/** The keys that the URLs of each style accept. */
type Keys = Readonly<Record<StyleName, string>>;
