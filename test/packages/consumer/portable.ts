import { mapVariables, type PortableOperation } from "lockflow-operations/client";
import { StreamsBySender, type StreamsBySenderVariables } from "lockflow-operations/lockup/portable";
import { lockupMultichainChainIds, type StyleName } from "lockflow-operations/manifest";
import type { Answers, Question } from "./question.js";

export async function askPortably({ urls, sender }: Question): Promise<Answers> {
  // Addresses are pasted in any case.
  const variables: StreamsBySenderVariables = { sender: `0x${sender.slice(2).toUpperCase()}`, first: 2 };
  const ask = async (style: StyleName): Promise<string[]> => {
    const sent = mapVariables(StreamsBySender, style, variables, lockupMultichainChainIds);
    const { streams } = await post(urls[style], StreamsBySender, style, sent);
    return streams.map(({ id }) => id);
  };
  return { multichain: await ask("multichain"), subgraph: await ask("subgraph") };
}

export function mistakePortably(sender: `0x${string}`): void {
  // @ts-expect-error The variable is called `sender`.
  mapVariables(StreamsBySender, "subgraph", { sendre: sender });
  // @ts-expect-error There is no null in variables.
  mapVariables(StreamsBySender, "subgraph", { sender, first: null });
}

async function post<Result, Variables>(
  url: string,
  operation: PortableOperation<"lockup", Result, Variables, "list">,
  style: StyleName,
  variables: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: operation[style], variables }),
  });
  const body = (await response.json()) as { data: Result; errors?: readonly { message: string }[] };
  if (body.errors) throw new Error(body.errors[0]?.message);
  return body.data;
}
