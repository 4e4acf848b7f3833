import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { BatchHttpLink } from "@apollo/client/link/batch-http";
import type { DocumentNode } from "graphql";
import { describe, expect, it } from "vitest";
import {
  HealthDocument as multichainHealth,
  StreamsBySenderDocument as multichainStreams,
} from "../../generated/lockup/multichain.ts";
import {
  AssetsDocument,
  type AssetsQuery,
  RecentStreamsDocument,
  StreamByIdDocument,
  StreamsBySenderDocument,
  typePolicies,
} from "../../generated/lockup/subgraph.ts";
import { UNKNOWN_FIELD, withEmulator } from "./support.ts";

const urls = withEmulator();

function clientOf(uri: string): ApolloClient {
  return new ApolloClient({ link: new HttpLink({ uri }), cache: new InMemoryCache() });
}

describe("Apollo Client", () => {
  it("runs generated documents on both styles, with added __typename", async () => {
    const client = clientOf(urls().testing);
    const recent = await client.query({ query: RecentStreamsDocument, variables: { first: 1 } });
    const sender = recent.data?.streams[0]?.sender ?? "0x";
    const { data, error } = await client.query({ query: StreamsBySenderDocument, variables: { sender } });
    expect(error).toBeUndefined();
    expect(data?.streams[0]).toMatchObject({ __typename: "Stream", sender, asset: { __typename: "Asset" } });
    const other = await clientOf(urls().multichain).query({
      query: multichainStreams,
      variables: { sender, chainIds: ["8453"] },
    });
    expect(other.data?.streams.map(({ id }) => id)).toEqual(data?.streams.map(({ id }) => id));
    const { data: health } = await clientOf(urls().multichain).query({ query: multichainHealth });
    expect(health?.chains.map(({ chainId }) => chainId)).toEqual([1, 8453]);
  });

  it("keeps rows of several chains apart in one cache with the generated type policies", async () => {
    const cache = new InMemoryCache({ typePolicies });
    const client = new ApolloClient({ link: new HttpLink({ uri: urls().testing }), cache });
    const { data } = await client.query({ query: RecentStreamsDocument, variables: { first: 2 } });
    const [stream] = data?.streams ?? [];
    const asked = { query: StreamByIdDocument, variables: { id: stream?.id ?? "" } };
    const { data: one } = await client.query(asked);
    // The cached row equals a fresh answer, so no row has replaced a part of another.
    const { data: again } = await clientOf(urls().testing).query({ ...asked, fetchPolicy: "no-cache" });
    expect(one?.stream?.actions.length).toBeGreaterThan(0);
    expect(one).toEqual(again);
    // The same asset id on another chain, as in an indexer whose ids do not include the chain.
    const asset = { __typename: "Asset" as const, ...stream?.asset };
    const of = (chainId: string, symbol: string) => ({
      assets: [{ ...asset, name: "", address: "0x", chainId, symbol }],
    });
    const write = (policies: object) => {
      const shared = new InMemoryCache({ typePolicies: { ...policies } });
      const query: DocumentNode = AssetsDocument;
      const read = (first: number) => shared.readQuery<AssetsQuery>({ query, variables: { first } });
      shared.writeQuery({ query, variables: { first: 1 }, data: of("1", "ONE") });
      shared.writeQuery({ query, variables: { first: 2 }, data: of("10", "TEN") });
      return [read(1), read(2)].map((found) => found?.assets.map(({ symbol }) => symbol));
    };
    expect(write(typePolicies)).toEqual([["ONE"], ["TEN"]]);
    expect(write({})).toEqual([["TEN"], ["TEN"]]);
  });

  it("rejects with the errors of the server", async () => {
    const { subgraph, multichain } = UNKNOWN_FIELD;
    const one = await clientOf(urls().testing)
      .query({ query: gql(subgraph.query) })
      .catch((cause) => cause);
    expect(one).toBeInstanceOf(CombinedGraphQLErrors);
    // Apollo prints the document, a line for each level, before it is sent.
    expect(one.errors).toMatchObject([{ message: subgraph.message, locations: [{ line: 3 }] }]);
    const two = await clientOf(urls().multichain)
      .query({ query: gql(multichain.query) })
      .catch((cause) => cause);
    expect(two.errors).toMatchObject([{ message: multichain.message, extensions: multichain.extensions }]);
  });

  it("batches requests in the multichain style; a subgraph rejects them", async () => {
    const batching = (uri: string) =>
      new ApolloClient({ link: new BatchHttpLink({ uri, batchInterval: 5 }), cache: new InMemoryCache() });
    const client = batching(urls().multichain);
    const [one, two] = await Promise.all([
      client.query({ query: gql("{ Stream(limit: 2) { id } }") }),
      client.query({ query: gql("{ Asset(limit: 1) { id } }") }),
    ]);
    expect([one.data, two.data]).toMatchObject([{ Stream: [{}, {}] }, { Asset: [{}] }]);
    const refused = batching(urls().testing).query({ query: gql("{ streams { id } }") });
    await expect(refused).rejects.toMatchObject({ statusCode: 400 });
  });
});
