import type { StyleName } from "../manifest/manifest-types.ts";
import { rowOf } from "./chain-ref.ts";
import { askForHeads } from "./heads.ts";
import { type BlockRef, type Inquiry, leastBlock } from "./inquiry.ts";
import { mapVariables } from "./map-variables.ts";

/** What is sent to an endpoint about some of its chains. A proxy knows the text, and makes the variables fit it. */
export function buildPart<P extends string, R, V>(
  { client, operation, variables, block, minBlock }: Inquiry<P, R, V>,
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
  const least = leastBlock({ minBlock }, String(chains[0]));
  const own = block ?? (least > 0 ? { number_gte: least } : undefined);
  if (own && operation.past === style) values["block"] = own;
  const query = heads ? askForHeads(addChains(text, operation.addChain), style, chainIds) : text;
  return { query, variables: values };
}

/** The key of a row's chain that the client requests by itself. */
export const CHAIN_KEY = "lockflow";

/** Returns the text that also selects the chain of rows of root fields, as the last field of each. */
function addChains(text: string, keys: readonly string[] = []): string {
  return keys.reduce(
    (sent, key) => sent.replace(new RegExp(`\\n  ${key}\\b[^]*?(?=\\n  })`), `$&\n    ${CHAIN_KEY}: chainId`),
    text,
  );
}

/** What a client asks of its proxy: the name of an operation, and neither its text nor where it is asked. */
export type ProxyQuestion = {
  readonly protocol: string;
  readonly operation: string;
  readonly style: StyleName;
  /** Keys or ids; several where one endpoint serves them all. */
  readonly chains: readonly (string | number)[];
  /** As the operation has them in both styles. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly block?: BlockRef | undefined;
  /** Whether the answer has to tell its block. */
  readonly heads: boolean;
};

/** A text and its variables, or what a proxy has these from. */
export type Part =
  | { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }
  | ProxyQuestion;
