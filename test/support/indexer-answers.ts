import { cached } from "../../src/base/collections.ts";
import { styles } from "../../src/dialects/index.ts";
import { buildIntrospection } from "../../src/dialects/introspection.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";

/** The entities of a small indexer with everything that introspection and the probes look at. */
export const SMALL_ENTITIES = `
  enum StreamCategory { LockupLinear LockupDynamic }
  type Watcher @entity { id: String! chainId: BigInt! streamCounter: BigInt! }
  type Stream @entity {
    id: String!
    alias: String!
    category: StreamCategory!
    depositAmount: BigInt!
    sender: Bytes!
  }
`;

/** The entities of another project of the same house: three are called as lockup's are, and nothing is streamed. */
export const AIRDROPS = `
  type Asset @entity {
    id: String! address: Bytes! chainId: BigInt! decimals: BigInt! name: String! symbol: String!
    campaigns: [Campaign!]! @derivedFrom(field: "asset")
  }
  type Watcher @entity { id: String! chainId: BigInt! actionCounter: BigInt! campaignCounter: BigInt! }
  type Action @entity(immutable: true) {
    id: String! subgraphId: BigInt! block: BigInt! chainId: BigInt! from: Bytes! hash: Bytes! timestamp: BigInt!
    category: String! fee: BigInt campaign: Campaign! claimAmount: BigInt claimIndex: BigInt claimRecipient: Bytes
  }
  type Activity @entity { id: String! amount: BigInt! campaign: Campaign! claims: BigInt! day: BigInt! }
  type Campaign @entity {
    id: String! address: Bytes! admin: Bytes! aggregateAmount: BigInt! asset: Asset! chainId: BigInt! claimed: BigInt!
    expiration: BigInt factory: Factory! hash: Bytes! ipfsCID: String! position: BigInt! root: Bytes! timestamp: BigInt!
    actions: [Action!]! @derivedFrom(field: "campaign") activities: [Activity!]! @derivedFrom(field: "campaign")
  }
  type Factory @entity {
    id: String! address: Bytes! campaignCounter: BigInt! campaigns: [Campaign!]! @derivedFrom(field: "factory")
  }
`;

/** The same in the style that keeps accounts for every project of that house. */
export const AIRDROPS_MULTICHAIN = `${AIRDROPS}
  type Revenue @entity {
    id: ID! amount: Float! chainId: BigInt! currency: String! date: String! dateTimestamp: Timestamp!
    transactions: [RevenueTransaction!]! @derivedFrom(field: "revenue")
  }
  type RevenueTransaction @entity(immutable: true) {
    id: ID! amount: Float! block: BigInt! hash: Bytes! revenue: Revenue! timestamp: BigInt!
  }
  type User @entity {
    id: ID! address: Bytes! chainId: BigInt! isOnlyAirdropClaimer: Boolean!
    transactions: [UserTransaction!]! @derivedFrom(field: "user")
  }
  type UserTransaction @entity(immutable: true) {
    id: ID! block: BigInt! fee: Float! hash: Bytes! isAirdropClaim: Boolean! timestamp: BigInt! user: User!
  }
`;

/** The body of an introspection answer for an entity schema. */
export function introspectionAnswer(style: "subgraph" | "multichain", entities = SMALL_ENTITIES): string {
  return cached(answers, `${style} ${entities}`, () => {
    const schema = styles[style].deriver.derive(parseEntities(entities, "entities.graphql"));
    return JSON.stringify({ data: buildIntrospection(schema) });
  });
}

const answers = new Map<string, string>();

/** The body of a subgraph's answer to the probe. */
export function subgraphProbeAnswer(chainId: number | null): string {
  return JSON.stringify({
    data: {
      _meta: { block: { number: 100 }, hasIndexingErrors: false },
      watchers: chainId === null ? [] : [{ id: String(chainId), chainId: String(chainId) }],
    },
  });
}
