import { expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { recognizeProtocol } from "../../src/fleet/check-protocol.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { tempProject } from "../support/temp-project.ts";

const AUCTIONS = `
  type Auction @entity { id: ID! reservePrice: BigInt! seller: Bytes! }
  type Bid @entity { id: ID! amount: BigInt! bidder: Bytes! }
`;
/** Has the marks of both lockup and flow. */
const STREAMS = `
  type Stream @entity { id: ID! depositAmount: BigInt ratePerSecond: BigInt sender: Bytes! }
  type Action @entity { id: ID! kind: String! }
`;

const LOCKUP = entitiesOf("lockup", "subgraph");

const own = { auctions: { entities: "auctions.graphql" }, streams: { entities: "streams.graphql" } };
const [auctions, streams] = [AUCTIONS, STREAMS].map((text) => parseEntities(text, "entities"));
const pool = parseEntities("type Pool @entity { id: ID! a: Int }", "pool");

it.each<[name: string, served: EntityModel | undefined, protocols: Config["protocols"], want: string | null]>(
  [
    ["recognized by its mark", LOCKUP, ["lockup"], "lockup"],
    ["recognized by its mark, among protocols without marks", LOCKUP, { ...own, lockup: true }, "lockup"],
    ["recognized by the mark of a protocol that is not configured", LOCKUP, own, "lockup"],
    ["recognized by its entities", auctions, own, "auctions"],
    ["recognized by its entities, although it has the marks of two others", streams, own, "streams"],
    ["unknown if it has the marks of two protocols", streams, ["lockup", "flow"], null],
    ["unknown if it belongs to another project", pool, own, null],
  ],
)("the protocol of a schema is %s", (_, served = LOCKUP, protocols, want) => {
  const { root } = tempProject({ "auctions.graphql": AUCTIONS, "streams.graphql": STREAMS });
  const schema = styles.subgraph.deriver.derive(served);
  const workspace = openWorkspace(resolveProject({ protocols }, root));
  expect(recognizeProtocol(schema, styles.subgraph, workspace)).toBe(want);
});
