import { QueryClient, queryOptions } from "@tanstack/react-query";
import { StreamsBySenderDocument as multichainString } from "lockflow-operations/lockup/multichain.strings";
import type { StreamsBySenderQueryVariables } from "lockflow-operations/lockup/subgraph";
import { StreamsBySenderDocument as subgraphString } from "lockflow-operations/lockup/subgraph.strings";
import { lockupMultichainChainIds as chainIds } from "lockflow-operations/manifest";
import { ask } from "./plain-fetch.js";
import type { Answers, Question } from "./question.js";

export async function askWithTanstackQuery({ urls, sender }: Question): Promise<Answers> {
  const client = new QueryClient();
  const multichain = await client.fetchQuery(
    queryOptions({
      queryKey: [urls.multichain, sender],
      queryFn: () => ask(urls.multichain, multichainString, { sender, chainIds, first: 2 }),
    }),
  );
  const subgraph = await client.fetchQuery(streamsBySender(urls.subgraph, { sender, first: 2 }));
  return {
    multichain: multichain.streams.map(({ id }) => id),
    subgraph: subgraph.streams.map(({ id }) => id),
  };
}

export async function mistakeWithTanstackQuery({ urls, sender }: Question): Promise<void> {
  // @ts-expect-error The variable is called `sender`.
  streamsBySender(urls.subgraph, { sendre: sender });
  const { streams } = await new QueryClient().fetchQuery(streamsBySender(urls.subgraph, { sender }));
  // @ts-expect-error The operation does not ask for it.
  streams[0]?.moon;
}

function streamsBySender(url: string, variables: StreamsBySenderQueryVariables) {
  return queryOptions({
    queryKey: [url, "StreamsBySender", variables],
    queryFn: () => ask(url, subgraphString, variables),
  });
}
