import type { Protocol, StyleName } from "../../src/project/vocabulary.ts";
import type { ChainContent, Content } from "../dataset/dataset.ts";
import { entitiesOf, PUBLIC_AGGREGATES } from "../dataset/entities/index.ts";
import { chainContent } from "../dataset/rows/chain-dataset.ts";

/** The contents of the reference indexers, with rows made up from a seed. */
export type ProtocolContents = (protocol: Protocol, style: StyleName) => Content;

/**
 * Creates the contents of the reference indexers. The styles share the rows of a protocol and chain, so they agree
 * on every chain.
 *
 * @param streams streams per protocol and chain; null lets the seed decide.
 */
export function createProtocolContents(seed: string, streams: number | null): ProtocolContents {
  const chains = new Map<string, ChainContent>();

  function chainOf(protocol: Protocol, chainId: number): ChainContent {
    const key = `${protocol} ${chainId}`;
    let chain = chains.get(key);
    if (chain === undefined) {
      chain = chainContent({ seed, protocol, chainId, streams });
      chains.set(key, chain);
    }
    return chain;
  }

  return (protocol, style) => ({
    name: `${protocol} ${style}`,
    model: entitiesOf(protocol, style),
    settings: { aggregates: PUBLIC_AGGREGATES },
    chain: (chainId) => chainOf(protocol, chainId),
  });
}
