import { expect, it } from "vitest";
import { createCustomChain } from "../../../emulator/custom/custom-chain.ts";
import { parseRows } from "../../../emulator/custom/parse-rows.ts";
import { entitiesOf } from "../../../emulator/dataset/entities/index.ts";
import { chainDataset } from "../../../emulator/dataset/rows/chain-dataset.ts";
import { readNodeTables } from "../../../emulator/indexers/start-node-engine.ts";
import { servedStyles } from "../../../emulator/styles/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";

const ENTITIES = `type Port @entity(immutable: false) { id: ID! name: String! }
type Buoy @entity(immutable: true) { id: ID! name: String! }
type Berth @entity(timeseries: true) { id: Int8! timestamp: Timestamp! }
type Stay @aggregation(intervals: ["hour", "day"], source: "Berth") {
  id: Int8! timestamp: Timestamp! count: Int8! @aggregate(fn: "count")
}`;

it("readNodeTables returns a version per change of a row, and one for immutable entities", () => {
  const model = parseEntities(ENTITIES, "ports");
  const port = (id: string, name: string) => ({ id, name });
  const stay = (id: string, interval: string) => ({ id, interval, timestamp: "0", count: "1" });
  // The bucket of the head's day is incomplete.
  const head = createCustomChain(1, []).blockAt(900_000_001).timestamp;
  const filling = { ...stay("3", "day"), timestamp: `${(head - 3600) * 1_000_000}` };
  const blocks = [
    {
      block: 10,
      rows: {
        Port: [port("a", "A"), port("b", "B")],
        Buoy: [port("a", "A"), port("b", "B")],
        Stay: [stay("1", "hour")],
      },
    },
    {
      block: 13,
      rows: {
        Port: [port("a", "AA")],
        Buoy: [port("a", "AA")],
        Stay: [stay("1", "hour"), stay("2", "day"), filling],
      },
    },
    // Far away: the blocks between must not be scanned.
    { block: 900_000_000, rows: { Port: [port("c", "C")] }, deleted: { Port: ["b"] } },
    { block: 900_000_001, rows: { Port: [port("b", "again")] } },
  ];
  const chain = createCustomChain(
    1,
    parseRows(blocks, { model, style: servedStyles.subgraph, place: "rows" }),
  );
  const version = (row: object, from: number, to: number | null) => ({ row, from, to });
  expect(readNodeTables(model, chain)).toMatchObject([
    {
      entity: "Port",
      versions: [
        version(port("a", "A"), 10, 13),
        version(port("b", "B"), 10, 900_000_000),
        version(port("a", "AA"), 13, null),
        version(port("c", "C"), 900_000_000, null),
        version(port("b", "again"), 900_000_001, null),
      ],
    },
    { entity: "Buoy", versions: [version(port("b", "B"), 10, null), version(port("a", "AA"), 13, null)] },
    { entity: "Berth", versions: [] },
    { entity: "Stay", interval: "hour", versions: [{ from: 13, to: null }] },
    { entity: "Stay", interval: "day", versions: [{ from: 13, to: null }] },
  ]);
});

it("readNodeTables returns versions that restore the rows of every block", () => {
  const chain = chainDataset({ seed: "s", protocol: "lockup", chainId: 1, streams: 40 });
  const model = entitiesOf("lockup", "subgraph");
  for (const { entity, versions } of readNodeTables(model, chain)) {
    for (const block of [chain.earliestBlock, chain.firstHead - 250, chain.firstHead]) {
      const valid = versions.filter(({ from, to }) => from <= block && (to === null || to > block));
      const byId = new Map(valid.map(({ row }) => [row["id"], row]));
      const want = chain.storeAt(block).rows(entity);
      expect(valid.length, `${entity} at ${block}`).toBe(want.length);
      expect(new Set(byId.values()), `${entity} at ${block}`).toEqual(new Set(want));
    }
  }
});
