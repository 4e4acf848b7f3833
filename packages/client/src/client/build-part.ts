import { rowOf } from "./chain-ref.ts";
import type { BuildPart } from "./client-types.ts";
import { addHeads } from "./heads.ts";
import { mapVariables } from "./map-variables.ts";
import { leastBlock } from "./values.ts";

/** Builds the text and the variables of an operation for an endpoint. */
export const buildText: BuildPart = (inquiry, style, chains) => {
  const { client, operation, variables, block } = inquiry;
  const text = operation[style as "subgraph"];
  const chainIds = chains.map((key) => rowOf(client, key).chainId);
  const values = mapVariables(operation, style, variables, chainIds);
  const least = leastBlock(inquiry, String(chains[0]));
  const own = block ?? (least > 0 ? { number_gte: least } : undefined);
  if (own && operation.past === style) values["block"] = own;
  const isBare = !client.freshness;
  const query = isBare ? text : addHeads(addChains(text, operation.addChain), style, chainIds);
  return { query, variables: values };
};

/** Builds a request to a proxy, which has the text and maps the variables again. */
export const buildQuestion: BuildPart = ({ client, operation, variables, block }, style, chains) => ({
  protocol: operation.protocol,
  operation: operation.name,
  style,
  chains,
  variables: mapVariables(operation, "subgraph", variables),
  block,
  heads: client.freshness,
});

/** The response key of a row's chain id if the operation does not select it. */
export const CHAIN_KEY = "lockflow";

/** Adds the chain id to the selections of root fields, as the last field. */
function addChains(text: string, keys: readonly string[] = []): string {
  return keys.reduce(
    (sent, key) => sent.replace(new RegExp(`\\n  ${key}\\b[^]*?(?=\\n  })`), `$&\n    ${CHAIN_KEY}: chainId`),
    text,
  );
}
