import { expect, it } from "vitest";
import type { Rename } from "../../../src/compare/find-api-renames.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { ProtocolDefinition } from "../../../src/dialects/protocol.ts";
import { resolveProtocols } from "../../../src/project/protocols.ts";
import { changedParts, renameDefinition } from "../../../src/tasks/adapt/rename-definition.ts";

const OLD = parseEntities(
  `type Asset @entity { id: ID! decimals: Int! }
   type Stream @entity { id: ID! asset: Asset! chainId: Int! start: Int! amount: Int! items: [Item!]! @derivedFrom(field: "stream") }
   type Item @entity { id: ID! stream: Stream! amount: Int! start: Int! }`,
  "old",
);
const NEW = parseEntities(
  `type Token @entity { id: ID! digits: Int! }
   type MyStream @entity { id: ID! token: Token! chainId: Int! begin: Int! amount: Int! parts: [Item!]! @derivedFrom(field: "stream") }
   type Item @entity { id: ID! stream: MyStream! sum: Int! start: Int! }`,
  "new",
);

const row = (owner: string | null, from: string, to: string): Rename => ({
  kind: owner === null ? "entity" : "field",
  owner,
  from,
  to,
  certain: true,
  why: "name",
});
const RENAMES = [
  row(null, "Asset", "Token"),
  row(null, "Stream", "MyStream"),
  row("Asset", "decimals", "digits"),
  row("Stream", "asset", "token"),
  row("Stream", "start", "begin"),
  row("Stream", "items", "parts"),
  row("Item", "amount", "sum"),
];

const resolve = (definition: ProtocolDefinition) => {
  const [resolved] = resolveProtocols({ protocols: { own: definition } });
  if (!resolved) throw new TypeError("no definition");
  return resolved;
};

it.each<[given: ProtocolDefinition, want: ProtocolDefinition]>([
  [
    { identity: { protocol: "Stream.start", chain: "Stream.chainId" } },
    { identity: { protocol: "MyStream.begin", chain: "MyStream.chainId" } },
  ],
  [{ chainPath: { Item: "stream", Asset: "decimals" } }, { chainPath: { Item: "stream", Token: "digits" } }],
  [{ cursors: { Stream: "start" } }, { cursors: { MyStream: "begin" } }],
  [{ ids: { Stream: "{asset}-{chainId}" } }, { ids: { MyStream: "{token}-{chainId}" } }],
  [
    { ids: { Item: { subgraph: "{amount}", multichain: "{chainId}-{amount}" } } },
    { ids: { Item: { subgraph: "{sum}", multichain: "{chainId}-{sum}" } } },
  ],
  [{ times: ["Stream.start", "*.start"] }, { times: ["MyStream.begin", "*.start", "MyStream.begin"] }],
  [
    { amounts: { "asset.decimals": ["Stream.amount", "Stream.items.amount"], "18": ["Item.amount"] } },
    { amounts: { "token.digits": ["MyStream.amount", "MyStream.parts.sum"], "18": ["Item.sum"] } },
  ],
  [
    { clock: { block: "Stream.chainId", time: "Stream.start" } },
    { clock: { block: "MyStream.chainId", time: "MyStream.begin" } },
  ],
  // Names that are written already are kept.
  [{ cursors: { MyStream: "begin" }, times: ["Item.start"] }, {}],
])("renameDefinition renames %j", (given, want) => {
  const definition = resolve(given);
  const renamed = renameDefinition(definition, RENAMES, { source: [OLD], target: [NEW] });
  expect(changedParts(definition, renamed)).toEqual(want);
});
