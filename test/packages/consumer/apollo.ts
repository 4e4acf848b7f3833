import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";
import { StreamsBySenderDocument as multichainNode } from "lockflow-operations/lockup/multichain";
import { StreamsBySenderDocument as subgraphNode } from "lockflow-operations/lockup/subgraph";
import { lockupMultichainChainIds as chainIds } from "lockflow-operations/manifest";
import type { Answers, Question } from "./question.js";

export async function askWithApollo({ urls, sender }: Question): Promise<Answers> {
  const variables = { sender, first: 2 };
  const multichain = await clientOf(urls.multichain).query({
    query: multichainNode,
    variables: { ...variables, chainIds },
  });
  const subgraph = await clientOf(urls.subgraph).query({ query: subgraphNode, variables });
  return {
    multichain: multichain.data?.streams.map(({ id }) => id) ?? [],
    subgraph: subgraph.data?.streams.map(({ id }) => id) ?? [],
  };
}

export async function mistakeWithApollo({ urls, sender }: Question): Promise<void> {
  // @ts-expect-error The variable is called `sender`.
  await clientOf(urls.multichain).query({ query: multichainNode, variables: { sendre: sender, chainIds } });
  const { data } = await clientOf(urls.subgraph).query({ query: subgraphNode, variables: { sender } });
  // @ts-expect-error The operation does not ask for it.
  data?.streams[0]?.moon;
}

function clientOf(uri: string): ApolloClient {
  return new ApolloClient({ link: new HttpLink({ uri }), cache: new InMemoryCache() });
}
