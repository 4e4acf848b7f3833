import { ClientError, GraphQLClient } from "graphql-request";
import { describe, expect, it } from "vitest";
import { RecentStreamsDocument as multichainStreams } from "../../generated/lockup/multichain.ts";
import { HealthDocument, RecentStreamsDocument as subgraphStreams } from "../../generated/lockup/subgraph.ts";
import { multichainChainIds } from "../../generated/manifest.ts";
import { KEY, NO_KEY, UNKNOWN_FIELD, withEmulator } from "./support.ts";

const urls = withEmulator();

describe("graphql-request", () => {
  it("runs generated documents on both styles", async () => {
    const { streams } = await new GraphQLClient(urls().testing).request(subgraphStreams, { first: 3 });
    expect(streams.map(({ chainId, asset }) => [chainId, asset.chainId])).toEqual(
      Array(3).fill(["8453", "8453"]),
    );
    const both = await new GraphQLClient(urls().multichain).request(multichainStreams, {
      first: 24,
      chainIds: multichainChainIds.lockup,
    });
    expect(new Set(both.streams.map(({ chainId }) => chainId))).toEqual(new Set(["1", "8453"]));
    // The same stream in both styles.
    const same = both.streams.find(({ id }) => id === streams[0]?.id);
    expect(same).toMatchObject({ alias: streams[0]?.alias, depositAmount: streams[0]?.depositAmount });
  });

  it("throws the errors of the server, with HTTP 200 in either style", async () => {
    const { subgraph, multichain } = UNKNOWN_FIELD;
    const failed = await new GraphQLClient(urls().testing).request(subgraph.query).catch(String);
    expect(failed).toContain(subgraph.message);
    const error = await new GraphQLClient(urls().multichain)
      .request(multichain.query)
      .catch((cause) => cause);
    expect(error).toBeInstanceOf(ClientError);
    expect(error.response).toMatchObject({
      status: 200,
      errors: [{ message: multichain.message, extensions: multichain.extensions }],
    });
    expect(error.response.data).toBeUndefined();
  });

  it("is accepted with a key, and rejected with HTTP 200 without one", async () => {
    const error = await new GraphQLClient(urls().production).request(HealthDocument).catch((cause) => cause);
    expect(error.response).toMatchObject({ status: 200, errors: [{ message: NO_KEY }] });
    const client = new GraphQLClient(urls().production, { headers: { authorization: `Bearer ${KEY}` } });
    const { _meta } = await client.request(HealthDocument);
    expect(_meta?.hasIndexingErrors).toBe(false);
  });

  it("batches requests in the multichain style; a subgraph rejects them", async () => {
    const [one, two] = await new GraphQLClient(urls().multichain).batchRequests<
      [{ data: { Stream: unknown[] } }, { data: { Asset: unknown[] } }]
    >([
      { document: "{ Stream(limit: 2) { id } }" },
      { document: "query Q($n: Int!) { Asset(limit: $n) { id } }", variables: { n: 1 } },
    ]);
    expect([one.data.Stream.length, two.data.Asset.length]).toEqual([2, 1]);
    const refused = new GraphQLClient(urls().testing).batchRequests([{ document: "{ streams { id } }" }]);
    await expect(refused).rejects.toMatchObject({ response: { status: 400 } });
  });
});
