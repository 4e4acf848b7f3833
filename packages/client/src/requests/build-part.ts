import { rowOf } from "../client/chain-ref.ts";
import type { BuildPart, Part } from "../client/client-types.ts";
import { blockVariable } from "../client/portable-operation.ts";
import { leastBlock } from "../client/values.ts";
import { convertVariables } from "../variables/map-variables.ts";
import { addHeads } from "./heads.ts";

/** Builds the text and the variables of an operation for an endpoint. */
export const buildText: BuildPart = ({ client, operation, variables, ...call }, style, chains) => {
  const text = operation[style as "subgraph"];
  const chainIds = chains.map((key) => rowOf(client, key).chainId);
  const values = convertVariables(operation, style, { variables, chainIds });
  const least = leastBlock(call.minBlock, String(chains[0]));
  const block = call.block ?? (least > 0 ? { number_gte: least } : undefined);
  if (block && operation.past === style && !operation.pinned) values[blockVariable(operation)] = block;
  const query = call.heads
    ? addHeads(addChains(text, operation.addChain), style, chainIds, operation.at)
    : text;
  return { query, variables: values } as Part;
};

/** The response key of a row's chain id if the operation does not select it. */
export const CHAIN_KEY = "lockflow";

/** Adds the chain id to the selections of root fields, as the last field. */
function addChains(text: string, keys: readonly string[] = []): string {
  return keys.reduce(
    (sent, key) => sent.replace(new RegExp(`\\n  ${key}\\b[^]*?(?=\\n  })`), `$&\n    ${CHAIN_KEY}: chainId`),
    text,
  );
}
