import type { ApiInputValue, ApiSchema, ApiType } from "../../../src/dialects/api-schema.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import { renderSdl } from "../../../src/dialects/render-sdl.ts";

/** The entities that both protocols share. */
const SHARED_ENTITIES = `
type Asset {
  id: String!
  address: Bytes!
  chainId: BigInt!
  decimals: BigInt!
  name: String!
  symbol: String!
  streams: [Stream!]! @derivedFrom(field: "asset")
}
type Watcher { id: String!  actionCounter: BigInt!  chainId: BigInt!  streamCounter: BigInt! }
type Revenue {
  id: ID!
  amount: Float!
  chainId: BigInt!
  currency: String!
  date: String!
  dateTimestamp: Timestamp!
  transactions: [RevenueTransaction!]! @derivedFrom(field: "revenue")
}
type RevenueTransaction @entity(immutable: true) {
  id: ID!
  amount: Float!
  block: BigInt!
  hash: Bytes!
  revenue: Revenue!
  timestamp: BigInt!
}
type User {
  id: ID!
  address: Bytes!
  chainId: BigInt!
  isOnlyAirdropClaimer: Boolean!
  transactions: [UserTransaction!]! @derivedFrom(field: "user")
}
type UserTransaction @entity(immutable: true) {
  id: ID!
  block: BigInt!
  fee: Float!
  hash: Bytes!
  isAirdropClaim: Boolean!
  timestamp: BigInt!
  user: User!
}
type Action @entity(immutable: true) {
  id: String!
  subgraphId: BigInt!
  block: BigInt!
  chainId: BigInt!
  from: Bytes!
  hash: Bytes!
  timestamp: BigInt!
  category: ActionCategory!
  contract: Bytes!
  fee: BigInt
  stream: Stream
  addressA: Bytes
  addressB: Bytes
  amountA: BigInt
  amountB: BigInt
}
type Batch @entity(immutable: true) {
  id: String!
  hash: Bytes
  timestamp: BigInt
  batcher: Batcher
  position: BigInt
  size: BigInt!
  streams: [Stream!]! @derivedFrom(field: "batch")
}
type Batcher { id: String!  batchCounter: BigInt!  batches: [Batch!]! @derivedFrom(field: "batcher") }
`;

const SHARED_STREAM_FIELDS = `
  id: String!
  alias: String!
  chainId: BigInt!
  subgraphId: BigInt!
  tokenId: BigInt!
  hash: Bytes!
  timestamp: BigInt!
  actions: [Action!]! @derivedFrom(field: "stream")
  asset: Asset!
  assetDecimalsValue: BigInt!
  batch: Batch!
  category: StreamCategory!
  contract: Bytes!
  position: BigInt!
  recipient: Bytes!
  sender: Bytes!
  startTime: BigInt!
  transferable: Boolean!
  version: String!
  withdrawnAmount: BigInt!
`;

export const LOCKUP_ENTITIES = `${SHARED_ENTITIES}
enum ActionCategory { Approval ApprovalForAll Cancel Create Renounce Transfer Withdraw }
enum StreamCategory { LockupDynamic LockupLinear LockupTranched }
type Stream {${SHARED_STREAM_FIELDS}
  canceledAction: Action
  renounceAction: Action
  cancelable: Boolean!
  canceled: Boolean!
  canceledTime: BigInt
  depositAmount: BigInt!
  duration: BigInt!
  endTime: BigInt!
  funder: Bytes!
  intactAmount: BigInt!
  proxender: Bytes
  proxied: Boolean!
  renounceTime: BigInt
  shape: String
  cliff: Boolean
  cliffAmount: BigInt
  cliffTime: BigInt
  initial: Boolean
  initialAmount: BigInt
  segments: [Segment!]! @derivedFrom(field: "stream")
  tranches: [Tranche!]! @derivedFrom(field: "stream")
}
type Segment @entity(immutable: true) {
  id: String!
  amount: BigInt!
  endAmount: BigInt!
  endTime: BigInt!
  exponent: BigInt!
  position: BigInt!
  startAmount: BigInt!
  startTime: BigInt!
  stream: Stream!
}
type Tranche @entity(immutable: true) {
  id: String!
  amount: BigInt!
  endAmount: BigInt!
  endTime: BigInt!
  position: BigInt!
  startAmount: BigInt!
  startTime: BigInt!
  stream: Stream!
}
`;

export const FLOW_ENTITIES = `${SHARED_ENTITIES}
enum ActionCategory { Approval ApprovalForAll Adjust Create Deposit Pause Refund Restart Transfer Void Withdraw }
enum StreamCategory { Flow }
type Stream {${SHARED_STREAM_FIELDS}
  availableAmount: BigInt!
  creator: Bytes!
  depletionTime: BigInt!
  depositedAmount: BigInt!
  forgivenDebt: BigInt!
  lastAdjustmentAction: Action
  lastAdjustmentTimestamp: BigInt!
  paused: Boolean!
  pausedAction: Action
  pausedTime: BigInt
  ratePerSecond: BigInt!
  refundedAmount: BigInt!
  snapshotAmount: BigInt!
  voided: Boolean!
  voidedAction: Action
  voidedTime: BigInt
}
`;

/** The entities whose aggregates the reference deployments make public. */
export const PUBLIC_AGGREGATES = ["Stream", "Revenue", "RevenueTransaction", "User", "UserTransaction"];

/** A small model with every kind of relation, a list and an enum. */
export const PARCELS = `
enum ParcelState { NEW SENT }
type Depot { id: ID!  name: String!  parcels: [Parcel!]! @derivedFrom(field: "depot") }
type Parcel {
  id: ID!
  depot: Depot!
  returnedTo: Depot
  state: ParcelState!
  weight: BigInt!
  fragile: Boolean!
  tags: [String!]!
}
`;

export function derive(entities: string, options: DeriveOptions = {}): ApiSchema {
  return deriveMultichain(parseEntities(entities, "entities.graphql"), options);
}

export function typeNamed(schema: ApiSchema, name: string): ApiType {
  const found = schema.types.find((type) => type.name === name);
  if (found === undefined) throw new Error(`The schema has no type "${name}".`);
  return found;
}

/** Renders some types of a schema as SDL, in the given order. */
export function render(schema: ApiSchema, ...names: string[]): string {
  const types = names.map((name) => typeNamed(schema, name));
  const text = renderSdl({ ...schema, types, directives: [] });
  return text.slice(text.indexOf("}\n") + 2).trim();
}

/** Renders types like `render`, without descriptions. */
export function renderShape(schema: ApiSchema, ...names: string[]): string {
  return render({ ...schema, types: schema.types.map(withoutDescriptions) }, ...names);
}

function withoutDescriptions(type: ApiType): ApiType {
  const bare = { description: null };
  const inputs = (values: readonly ApiInputValue[]) => values.map((value) => ({ ...value, ...bare }));
  switch (type.kind) {
    case "OBJECT":
    case "INTERFACE":
      return {
        ...type,
        ...bare,
        fields: type.fields.map((field) => ({ ...field, ...bare, args: inputs(field.args) })),
      };
    case "INPUT_OBJECT":
      return { ...type, ...bare, fields: inputs(type.fields) };
    case "ENUM":
      return { ...type, ...bare, values: type.values.map((value) => ({ ...value, ...bare })) };
    default:
      return { ...type, ...bare };
  }
}
