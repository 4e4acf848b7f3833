import { createClient, lockup, merged, run } from "lockflow-operations";
import { withdrawableAmount } from "lockflow-operations/amounts";
import type { Answers, Question } from "./question.js";

/** Queries with the client and operations of the main entry. */
export async function askByMainEntry({ urls, sender }: Question): Promise<Answers> {
  const [, id = ""] = new URL(urls.multichain).pathname.split("/");
  const options = {
    environment: "testing" as const,
    env: {
      LOCKFLOW_LOCKUP_ID: id,
      LOCKFLOW_MULTICHAIN_URL: urls.multichain.replace(id, "{id}"),
      LOCKFLOW_SUBGRAPH_TESTING_URL: urls.subgraph.replace(/[^/]+$/, "{deployment}"),
    },
  };
  const client = createClient(options);
  const multichain = createClient({ ...options, styles: ["multichain"] });
  const variables = { sender, first: 2 };
  const { rows } = await merged(multichain, lockup.StreamsBySender, variables, { chains: "all" });
  const { data } = await run(client, lockup.StreamsBySender, variables, { chain: 8453, style: "subgraph" });
  return {
    multichain: rows.map((stream) => stream.id),
    subgraph: data.streams.map((stream) => stream.id),
  };
}

export async function mistakeByMainEntry(): Promise<void> {
  const client = createClient();
  // @ts-expect-error No chain has the id.
  await run(client, lockup.StreamById, { id: "1" }, { chain: 2 });
  // @ts-expect-error The variable is called `id`.
  await run(client, lockup.StreamById, { ids: "1" }, { chain: "morph" });
  const { data } = await run(client, lockup.StreamById, { id: "1" }, { chain: "base" });
  // @ts-expect-error The stream may be null.
  withdrawableAmount(data.stream, new Date());
}
