import { describe, expect, it } from "vitest";
import type { ProtocolDefinition } from "../../src/dialects/protocol.ts";
import { introspectionAnswer } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";
import { testServer } from "../support/test-server.ts";

const COUNTER = "type Counter @entity { id: ID! network: BigInt! }";
const entity = (name: string) =>
  `type ${name} @entity { id: ID! ${name.toLowerCase()}Number: BigInt! ${name.toLowerCase()}Owner: Bytes! }`;
const AUCTIONS = [COUNTER, ...["Auction", "Bid", "Bidder", "House", "Lot"].map(entity)].join("\n");
const CHAIN_IDS: Readonly<Record<string, readonly number[]>> = {
  mainnet: [1],
  base: [8453],
  multichain: [1, 8453],
};

/** Returns the schema that is served at a URL. */
type Indexer = { readonly entities: string; readonly chainIds?: readonly number[] };

/** A project of protocols on two chains, and the entities that their deployments serve, which tests can change. */
async function ownProject(
  protocols: Readonly<Record<string, ProtocolDefinition>>,
  entities: Readonly<Record<string, string>>,
): Promise<{
  readonly project: TempProject;
  readonly served: Record<string, Indexer>;
}> {
  const names = Object.keys(protocols).flatMap((protocol) =>
    Object.keys(CHAIN_IDS).map((suffix) => [`protocol-${protocol}-${suffix}`, protocol] as const),
  );
  const served: Record<string, Indexer> = Object.fromEntries(
    names.map(([name, protocol]) => [name, { entities: entities[protocol] ?? "" }]),
  );
  const server = await testServer(({ path, body }, response) => {
    const name = path.slice(1);
    const suffix = name.split("-").at(-1) ?? "";
    const { entities = "", chainIds = CHAIN_IDS[suffix] ?? [] } = served[name] ?? {};
    response.setHeader("content-type", "application/json");
    response.end(answer(body, suffix === "multichain" ? suffix : "subgraph", entities, chainIds));
  });
  const url = (name: string) => ({ url: `${server.url}/${name}` });
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({
      protocols: Object.fromEntries(
        Object.entries(protocols).map(([key, one]) => [key, { chains: ["base", "ethereum"], ...one }]),
      ),
      deployments: Object.fromEntries(
        names.map(([name]) => [
          name,
          name.endsWith("multichain") ? { production: url(name) } : { testing: url(name) },
        ]),
      ),
    }),
  });
  return { project, served };
}

function answer(
  body: string,
  style: "multichain" | "subgraph",
  entities: string,
  chainIds: readonly number[],
): string {
  if (body.includes("__schema")) return introspectionAnswer(style, entities);
  const rows = chainIds.map((id) => ({ id: `${id}`, network: `${id}` }));
  const counters = { Counter: rows, counters: rows };
  const meta = { _meta: { block: { number: 100 }, hasIndexingErrors: false } };
  const progress = { _meta: chainIds.map((chainId) => ({ chainId, progressBlock: 100 })) };
  const data = { ...(style === "subgraph" ? meta : progress), ...counters };
  // Only the requested fields, like every server.
  const known = Object.entries(data).filter(([name]) => new RegExp(`\\b${name}\\(|${name} \\{`).test(body));
  return JSON.stringify({ data: Object.fromEntries(known) });
}

const CHAIN = { identity: { chain: "Counter.network" } };

describe("the chain of a custom protocol", () => {
  it("is read from the field of the definition, in both styles", async () => {
    const { project, served } = await ownProject({ auctions: CHAIN }, { auctions: AUCTIONS });
    served["protocol-auctions-base"] = { entities: AUCTIONS, chainIds: [1] };
    served["protocol-auctions-multichain"] = { entities: AUCTIONS, chainIds: [8453] };
    const { out } = await run(project.root, ["introspect"]);
    expect(out).toContain("protocol-auctions-base: It serves ethereum (chain id 1) instead of base");
    expect(out).toContain("note: protocol-auctions-multichain has no rows of ethereum");
  });

  it("is unknown without a field, which is reported once and fails nothing", async () => {
    const { project } = await ownProject({ auctions: {} }, { auctions: AUCTIONS });
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(0);
    expect(out.match(/protocols\.auctions\.identity\.chain/g)).toHaveLength(1);
  });
});

describe("a definition with an unknown field", () => {
  it("is rejected by commands that use it, and not by those that can fix it", async () => {
    const { project } = await ownProject(
      { auctions: { ...CHAIN, cursors: { Auction: "auctionNumbr" } } },
      { auctions: AUCTIONS },
    );
    project.write("operations/auctions/subgraph/a.graphql", "query A { auctions { id } }");
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });
    for (const command of ["generate", "check", "drift"]) {
      const { code, err } = await run(project.root, [command]);
      expect({ command, code }).toEqual({ command, code: 2 });
      expect(err).toContain(
        '"protocols.auctions.cursors.Auction" names Auction.auctionNumbr, but Auction has no field auctionNumbr.',
      );
      expect(err).toContain("did you mean Auction.auctionNumber?");
    }
    const doctor = await run(project.root, ["doctor", "--offline"]);
    expect(doctor.out.replaceAll(/\s+/g, " ")).toContain("problem config");
    expect(doctor.out.replaceAll(/\s+/g, " ")).toContain("Auction has no field auctionNumbr");
  });

  it("is rejected by its entity SDL without a snapshot", async () => {
    const { project } = await ownProject(
      { auctions: { ...CHAIN, entities: "auctions.graphql", chainPath: { Bid: "auction" } } },
      { auctions: AUCTIONS },
    );
    project.write("auctions.graphql", AUCTIONS);
    const { out } = await run(project.root, ["doctor", "--offline"]);
    expect(out.replaceAll(/\s+/g, " ")).toContain("Bid has no field auction.");
  });
});

describe("introspect of an indexer that both protocols were merged into", () => {
  const family = (prefix: string, fields: string) =>
    ["Stream", "Action", "Batch"].map((name) => `type ${prefix}${name} @entity { id: ID! ${fields} }`);
  const [VESTING, PAYING] = [
    "deposit: Int! cliff: Int! end: Int!",
    "rate: Int! debt: Int! paused: Int!",
  ] as const;

  async function introspectMerged(paying: string) {
    const { project, served } = await ownProject(
      { vesting: CHAIN, paying: CHAIN },
      {
        vesting: [COUNTER, ...family("", VESTING)].join("\n"),
        paying: [COUNTER, ...family("", PAYING)].join("\n"),
      },
    );
    await run(project.root, ["introspect"]);
    const counter = COUNTER.replace("network", "payingStreams: Int! network");
    const entities = [counter, ...family("Vesting", VESTING), ...family("Paying", paying)].join("\n");
    for (const name of Object.keys(served)) served[name] = { entities };
    return run(project.root, ["introspect"]);
  }

  it("has the definition and the commands to use", async () => {
    const { code, out } = await introspectMerged(PAYING);
    expect(code).toBe(0);
    expect(out).toContain(
      'merged: defineProtocol({ chains: ["base", "ethereum"], identity: { protocol: "Counter.payingStreams", chain: "Counter.network" } })',
    );
    expect(out).toContain("`lockflow adapt --protocol vesting --to merged --prefix Vesting`");
  });

  it("names `adapt --to` if the protocol cannot be recognized in it", async () => {
    const { code, out } = await introspectMerged(PAYING.replace("paused", "ended"));
    expect(code).toBe(1);
    expect(out).toMatch(/It serves vesting instead of paying\..*`lockflow adapt --to` moves the operations/);
  });
});
