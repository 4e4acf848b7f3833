import type { Protocol, StyleName } from "../model/vocabulary.ts";
import type { Content } from "./content.ts";
import { entitiesOf, PUBLIC_AGGREGATES } from "./entities/index.ts";
import { chainContent } from "./rows/chain-content.ts";
import { createChainStores } from "./rows/create-chain-stores.ts";

/** The contents of the reference indexers, with rows made up from a seed. */
export type ProtocolContents = (protocol: Protocol, style: StyleName) => Content;

/**
 * Creates the contents of the reference indexers. The styles share the rows of a protocol and chain.
 *
 * @param streams streams per protocol and chain; null lets the seed decide.
 */
export function createProtocolContents(seed: string, streams: number | null): ProtocolContents {
  const storesOf = createChainStores(seed, streams);
  return (protocol, style) => ({
    name: `${protocol} ${style}`,
    model: entitiesOf(protocol, style),
    settings: { aggregates: PUBLIC_AGGREGATES },
    chain: (chainId) => chainContent(seed, chainId, storesOf(protocol, chainId)),
  });
}
