import {
  StreamsBySenderDocument as multichainString,
  type TypedString,
} from "lockflow-operations/lockup/multichain.strings";
import { StreamsBySenderDocument as subgraphString } from "lockflow-operations/lockup/subgraph.strings";
import { lockupMultichainChainIds as chainIds } from "lockflow-operations/manifest";
import type { Answers, Question } from "./question.js";

export async function askWithFetch({ urls, sender }: Question): Promise<Answers> {
  const multichain = await ask(urls.multichain, multichainString, { sender, chainIds, first: 2 });
  const subgraph = await ask(urls.subgraph, subgraphString, { sender, first: 2 });
  return {
    multichain: multichain.streams.map(({ id }) => id),
    subgraph: subgraph.streams.map(({ id }) => id),
  };
}

export async function mistakeWithFetch({ urls, sender }: Question): Promise<void> {
  // @ts-expect-error The variable is called `sender`.
  await ask(urls.multichain, multichainString, { sendre: sender, chainIds });
  const { streams } = await ask(urls.subgraph, subgraphString, { sender });
  // @ts-expect-error The operation does not ask for it.
  streams[0]?.moon;
}

export async function ask<Result, Variables>(
  url: string,
  query: TypedString<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { data: Result; errors?: readonly { message: string }[] };
  if (body.errors) throw new Error(body.errors[0]?.message);
  return body.data;
}
