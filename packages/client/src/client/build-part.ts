import type { StyleName } from "../manifest/project.ts";
import { addChains } from "./add-chains.ts";
import { rowOf } from "./chain-ref.ts";
import { askForHeads } from "./heads.ts";
import type { Inquiry } from "./inquiry.ts";
import { knowsPast, mapVariables } from "./map-variables.ts";
import type { Part } from "./send.ts";

/** What is sent to an endpoint about some of its chains. A proxy knows the text, and makes the variables fit it. */
export function buildPart<P extends string, R, V>(
  { client, operation, variables, block }: Inquiry<P, R, V>,
  style: StyleName,
  chains: readonly string[],
): Part {
  const { name, protocol } = operation;
  const text = operation[style as "subgraph"];
  const { proxy, freshness: heads } = client;
  // For a subgraph they are what they were, but read: a proxy reads them again.
  if (proxy) {
    const values = mapVariables(operation, "subgraph", variables);
    return { protocol, operation: name, style, chains, variables: values, block, heads };
  }
  const chainIds = chains.map((key) => rowOf(client, key).chainId);
  const values = mapVariables(operation, style, variables, chainIds);
  if (block && knowsPast(text)) values["block"] = block;
  const query = heads ? askForHeads(addChains(text, operation.addChain), style, chainIds) : text;
  return { query, variables: values };
}
