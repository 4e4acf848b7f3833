import { Client, fetchExchange } from "@urql/core";
import { StreamsBySenderDocument as multichainString } from "lockflow-operations/lockup/multichain.strings";
import { StreamsBySenderDocument as subgraphNode } from "lockflow-operations/lockup/subgraph";
import { lockupMultichainChainIds as chainIds } from "lockflow-operations/manifest";
import type { Answers, Question } from "./question.js";

export async function askWithUrql({ urls, sender }: Question): Promise<Answers> {
  const multichain = await clientOf(urls.multichain).query(multichainString, { sender, chainIds, first: 2 });
  const subgraph = await clientOf(urls.subgraph).query(subgraphNode, { sender, first: 2 });
  return {
    multichain: multichain.data?.streams.map(({ id }) => id) ?? [],
    subgraph: subgraph.data?.streams.map(({ id }) => id) ?? [],
  };
}

export async function mistakeWithUrql({ urls, sender }: Question): Promise<void> {
  // @ts-expect-error The variable is called `sender`.
  await clientOf(urls.multichain).query(multichainString, { sendre: sender, chainIds });
  const { data } = await clientOf(urls.subgraph).query(subgraphNode, { sender });
  // @ts-expect-error The operation does not ask for it.
  data?.streams[0]?.moon;
}

function clientOf(url: string): Client {
  return new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });
}
