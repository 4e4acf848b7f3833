import type { Text as TextSource } from "../runtime/manifest-types.ts";
import type { Config, EndpointConfig, MultichainConfig, SubgraphConfig, Text } from "./config.ts";
import {
  BRAND,
  idVariable,
  MULTICHAIN_URL,
  SUBGRAPH_API_KEY,
  SUBGRAPH_PRODUCTION_URL,
  SUBGRAPH_TESTING_URL,
} from "./variables.ts";
import type { Environment, Protocol } from "./vocabulary.ts";

/** What deployments share: as configured, and variables of our own naming for what the configuration does not say. */
export type SharedSources = {
  readonly brand: TextSource;
  readonly multichain: MultichainConfig & { readonly ids: Readonly<Record<Protocol, Text>> };
  readonly subgraph: SubgraphConfig & { readonly [E in Environment]: EndpointConfig };
};

/** @param brand the first word of deployment names where no variable says another. */
export function resolveShared(
  { brand: given, multichain, subgraph }: Config,
  brand: string,
  protocols: readonly Protocol[],
): SharedSources {
  const ids = multichain?.ids ?? {};
  return {
    brand: given ?? { env: BRAND, or: brand },
    multichain: {
      url: { env: MULTICHAIN_URL },
      ...multichain,
      ids: Object.fromEntries(
        protocols.map((protocol) => [protocol, ids[protocol] ?? { env: idVariable(protocol) }]),
      ),
    },
    subgraph: {
      production: subgraph?.production ?? {
        url: { env: SUBGRAPH_PRODUCTION_URL },
        apiKey: { env: SUBGRAPH_API_KEY },
      },
      testing: subgraph?.testing ?? { url: { env: SUBGRAPH_TESTING_URL } },
      explorer: subgraph?.explorer,
    },
  };
}
