import { startEmulator } from "lockflow/emulator";
import { RecentStreamsDocument } from "lockflow-operations/lockup/subgraph.strings";
import { askWithApollo } from "./apollo.js";
import { findUrls } from "./find-urls.js";
import { askWithGraphqlRequest } from "./graphql-request.js";
import { askByMainEntry } from "./main-entry.js";
import { ask, askWithFetch } from "./plain-fetch.js";
import { askPortably } from "./portable.js";
import type { Answers } from "./question.js";
import { askWithTanstackQuery } from "./tanstack-query.js";
import { askWithUrql } from "./urql.js";

const CLIENTS = {
  "Apollo Client": askWithApollo,
  "graphql-request": askWithGraphqlRequest,
  "TanStack Query": askWithTanstackQuery,
  "main entry": askByMainEntry,
  "plain fetch": askWithFetch,
  "portable constants": askPortably,
  urql: askWithUrql,
};

/** Sends one query to an emulator with every client. */
export async function askAll(): Promise<Record<string, Answers>> {
  const emulator = await startEmulator({ streams: 12 });
  try {
    const multichain = emulator.endpoints.find((one) => one.deployment === "protocol-lockup-multichain");
    const id = /\w+(?=\/v1\/graphql$)/.exec(multichain?.url ?? "")?.[0] ?? "";
    const urls = findUrls(emulator.url, id);
    const { streams } = await ask(urls.subgraph, RecentStreamsDocument, { first: 1 });
    const sender = streams[0]?.sender ?? "0x";
    const answers: Record<string, Answers> = {};
    for (const [client, askWith] of Object.entries(CLIENTS))
      answers[client] = await askWith({ urls, sender });
    return answers;
  } finally {
    await emulator.close();
  }
}
