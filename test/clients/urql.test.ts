import { Client, cacheExchange, fetchExchange } from "@urql/core";
import { describe, expect, it } from "vitest";
import { RecentStreamsDocument as flowStreams } from "../../generated/flow/multichain.ts";
import { RecentStreamsDocument as multichainStreams } from "../../generated/lockup/multichain.ts";
import { RecentStreamsDocument as subgraphStreams } from "../../generated/lockup/subgraph.strings.ts";
import { StreamByIdDocument } from "../../generated/lockup/subgraph.ts";
import { withEmulator } from "./support.ts";

const urls = withEmulator();

function clientOf(url: string): Client {
  // Sends queries with POST, as these endpoints require: urql would send short ones with GET.
  return new Client({ url, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false });
}

describe("urql", () => {
  it("runs generated documents on both styles, parsed or as text", async () => {
    const subgraph = clientOf(urls().testing);
    const list = await subgraph.query<{ streams: readonly { id: string }[] }>(subgraphStreams, { first: 2 });
    expect(list.error).toBeUndefined();
    const id = list.data?.streams[0]?.id ?? "";
    const one = await subgraph.query(StreamByIdDocument, { id });
    expect(one.data?.stream).toMatchObject({ id, __typename: "Stream", asset: { __typename: "Asset" } });
    const none = await subgraph.query(StreamByIdDocument, { id: "nope" });
    expect([none.data?.stream, none.error]).toEqual([null, undefined]);

    const multichain = await clientOf(urls().multichain).query(multichainStreams, {
      first: 24,
      chainIds: ["1", "8453"],
    });
    expect(multichain.data?.streams).toHaveLength(24);
    expect(multichain.data?.streams).toContainEqual(expect.objectContaining({ id, __typename: "Stream" }));
  });

  it("reports a document of the other protocol", async () => {
    const { error } = await clientOf(urls().multichain).query(flowStreams, { first: 2, chainIds: "1" });
    expect(error?.graphQLErrors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^field '\w+' not found in type: 'Stream'$/),
    ]);
  });

  it("gets no answer with GET: a subgraph returns a page, multichain an error", async () => {
    const get = (url: string) =>
      new Client({ url, exchanges: [fetchExchange], preferGetMethod: "force" }).query("{ __typename }", {});
    const multichain = await get(urls().multichain);
    expect(multichain.error?.graphQLErrors).toMatchObject([{ message: "PersistedQueryNotSupported" }]);
    const subgraph = await get(urls().testing);
    expect(subgraph.data).toBeUndefined();
    expect(subgraph.error?.networkError).toBeDefined();
  });
});
