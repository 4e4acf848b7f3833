import request from "graphql-request";
import { StreamsBySenderDocument as multichainNode } from "lockflow-operations/lockup/multichain";
import { StreamsBySenderDocument as multichainString } from "lockflow-operations/lockup/multichain.strings";
import { StreamsBySenderDocument as subgraphNode } from "lockflow-operations/lockup/subgraph";
import { StreamsBySenderDocument as subgraphString } from "lockflow-operations/lockup/subgraph.strings";
import { lockupMultichainChainIds as chainIds } from "lockflow-operations/manifest";
import type { Answers, Question } from "./question.js";

export async function askWithGraphqlRequest({ urls, sender }: Question): Promise<Answers> {
  const multichain = await request(urls.multichain, multichainNode, { sender, chainIds, first: 2 });
  const subgraph = await request(urls.subgraph, subgraphString, { sender, first: 2 });
  const again = await request(urls.multichain, multichainString, { sender, chainIds, first: 2 });
  const andAgain = await request(urls.subgraph, subgraphNode, { sender, first: 2 });
  return {
    multichain: [multichain, again].flatMap(({ streams }) => streams.map(({ id }) => id)),
    subgraph: [subgraph, andAgain].flatMap(({ streams }) => streams.map(({ id }) => id)),
  };
}

export async function mistakeWithGraphqlRequest({ urls, sender }: Question): Promise<void> {
  // @ts-expect-error The variable is called `sender`.
  await request(urls.multichain, multichainNode, { sendre: sender, chainIds });
  // @ts-expect-error A variable of another type.
  await request(urls.subgraph, subgraphString, { sender, first: "2" });
  const { streams } = await request(urls.subgraph, subgraphNode, { sender });
  // @ts-expect-error The operation does not ask for it.
  streams[0]?.moon;
}
