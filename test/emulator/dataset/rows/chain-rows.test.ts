import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../../../emulator/dataset/entities/index.ts";
import type { Row, RowValue } from "../../../../emulator/styles/read-view.ts";
import { BUILT_IN_PROTOCOLS } from "../../../../src/project/protocols.ts";
import { runs } from "../../../support/runs.ts";
import { actionsOf, groupBy, sample, samplesOf, text } from "./simulation.ts";

const SAMPLES = BUILT_IN_PROTOCOLS.flatMap((protocol) => samplesOf(protocol, runs(2, 20)));

describe.each(SAMPLES)("the rows of $protocol on chain $chainId at $at, seed $seed", (options) => {
  const { protocol, chainId, at, streams: count } = options;
  const here = sample(options);
  const hasMany = count === null;
  const { rows, byId, head } = here;
  const streams = rows("Stream");
  const actions = rows("Action");
  const of = actionsOf(here);

  it.runIf(hasMany)("have at least 164 streams, and 6 to 10 assets with 6, 8 and 18 decimals", () => {
    expect(streams.length).toBeGreaterThanOrEqual(180 - 16);
    expect(streams.length).toBeLessThanOrEqual(at === "a future block" ? 420 : 320);
    expect(rows("Asset").length).toBeGreaterThanOrEqual(6);
    expect(rows("Asset").length).toBeLessThanOrEqual(10);
    expect(new Set(rows("Asset").map((asset) => asset["decimals"]))).toEqual(new Set(["6", "8", "18"]));
  });

  it.runIf(hasMany)("have every member of every enum", () => {
    const { definitions } = entitiesOf(protocol, "subgraph");
    const members = (name: string) =>
      definitions.flatMap((definition) =>
        definition.kind === "enum" && definition.name === name
          ? (definition.values ?? []).map((value) => value.name)
          : [],
      );
    expect(new Set(streams.map((row) => row["category"]))).toEqual(new Set(members("StreamCategory")));
    expect(new Set(actions.map((row) => row["category"]))).toEqual(new Set(members("ActionCategory")));
  });

  it("have a valid value in every stored field, and no other fields", () => {
    const matches: Record<string, (value: RowValue) => boolean> = {
      String: (value) => typeof value === "string",
      ID: (value) => typeof value === "string",
      BigInt: (value) => typeof value === "string" && /^(0|[1-9]\d*)$/.test(value),
      Bytes: (value) => typeof value === "string" && /^0x([0-9a-f]{2})+$/.test(value),
      Boolean: (value) => typeof value === "boolean",
      Float: (value) => typeof value === "number",
      Timestamp: (value) => typeof value === "string" && /^\d{16}$/.test(value),
    };
    for (const definition of entitiesOf(protocol, "multichain").definitions) {
      if (definition.kind !== "entity") continue;
      const stored = definition.fields.filter(({ derived }) => !derived);
      const table = rows(definition.name);
      if (hasMany) expect(table.length, definition.name).toBeGreaterThan(0);
      for (const row of table) {
        if (Object.keys(row).length !== stored.length) throw new Error(JSON.stringify(row));
        for (const { name, type } of stored) {
          const value = row[name];
          if (value === undefined) throw new Error(`${definition.name} has no ${name}.`);
          if (value === null) {
            if (type.endsWith("!")) throw new Error(`${definition.name}.${name} is null.`);
            continue;
          }
          const fits = matches[type.replace("!", "")] ?? matches["String"];
          if (!fits?.(value)) throw new Error(`${definition.name}.${name} is ${JSON.stringify(value)}.`);
        }
      }
    }
  });

  it("refer only to rows that exist", () => {
    const entities = entitiesOf(protocol, "multichain").definitions.filter(({ kind }) => kind === "entity");
    const ids = new Map(entities.map(({ name }) => [name, byId(name)]));
    for (const entity of entities) {
      if (entity.kind !== "entity") continue;
      for (const { name, type, derived } of entity.fields) {
        const target = ids.get(type.replace("!", ""));
        if (derived || target === undefined) continue;
        const dangling = rows(entity.name).filter(
          (row) => row[name] !== null && !target.has(text(row, name)),
        );
        expect(dangling, `${entity.name}.${name}`).toEqual([]);
      }
    }
  });

  it("have unique ids in the formats of the indexer", () => {
    const formats: Record<string, RegExp> = {
      Asset: new RegExp(`^asset-${chainId}-0x[0-9a-f]{40}$`),
      Watcher: new RegExp(`^${chainId}$`),
      Stream: new RegExp(`^0x[0-9a-f]{40}-${chainId}-[1-9]\\d*$`),
      Action: new RegExp(`^action-${chainId}-0x[0-9a-f]{64}-\\d+$`),
      Batch: new RegExp(`^batch-${chainId}-0x[0-9a-f]{64}-0x[0-9a-f]{40}$`),
      Batcher: new RegExp(`^batcher-${chainId}-0x[0-9a-f]{40}$`),
      Segment: new RegExp(`^segment-0x[0-9a-f]{40}-${chainId}-\\d+-\\d+$`),
      Tranche: new RegExp(`^tranche-0x[0-9a-f]{40}-${chainId}-\\d+-\\d+$`),
      Revenue: new RegExp(`^revenue-${chainId}-date-\\d{4}-\\d{2}-\\d{2}$`),
      RevenueTransaction: new RegExp(`^revenueTransaction-${chainId}-0x[0-9a-f]{64}$`),
      User: new RegExp(`^user-${chainId}-0x[0-9a-f]{40}$`),
      UserTransaction: new RegExp(`^userTransaction-${chainId}-0x[0-9a-f]{64}$`),
    };
    for (const [entity, format] of Object.entries(formats)) {
      const ids = rows(entity).map((row) => text(row, "id"));
      expect(new Set(ids).size, entity).toBe(ids.length);
      expect(ids.filter((id) => !format.test(id))).toEqual([]);
    }
    const numbers = streams.map(({ tokenId }) => `${chainId}-${tokenId}`);
    const kinds = /^(?:L[LD][23]?|LT3|LK2?|FL[23]?)-/;
    expect(streams.map((row) => text(row, "id"))).toEqual(
      streams.map(({ contract }, at) => `${contract}-${numbers[at]}`),
    );
    expect(streams.map((row) => text(row, "alias").replace(kinds, ""))).toEqual(numbers);
    expect(actions.filter((row) => !text(row, "id").includes(`-${row["hash"]}-`))).toEqual([]);
  });

  it("have exactly one watcher, with correct counters", () => {
    const [id, actionCounter, streamCounter] = [chainId, actions.length, streams.length].map(String);
    expect(rows("Watcher")).toEqual([{ id, chainId: id, actionCounter, streamCounter }]);
  });

  it("count streams and actions from 1 in the chain's order", () => {
    for (const table of [streams, actions]) {
      expect(table.map((row) => row["subgraphId"])).toEqual(table.map((_, index) => String(index + 1)));
      const times = table.map((row) => Number(row["timestamp"]));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
    const order = actions.map((row) => [Number(row["block"]), Number(text(row, "id").split("-").at(-1))]);
    const sorted = order.toSorted(([a = 0, x = 0], [b = 0, y = 0]) => a - b || x - y);
    expect(order).toEqual(sorted);
  });

  it("count the tokens of each contract from 1", () => {
    for (const tokens of groupBy(streams, "contract").values()) {
      expect(tokens.map((row) => row["tokenId"])).toEqual(tokens.map((_, index) => String(index + 1)));
    }
  });

  it("are between the first block and the head, with one timestamp per block", () => {
    const { startBlock } = here.dataset;
    const times = new Map<string, string>();
    const wrong = actions.filter((action) => {
      const [block, time] = [text(action, "block"), text(action, "timestamp")];
      const first = times.get(block) ?? time;
      times.set(block, first);
      const within = Number(block) >= startBlock && Number(block) <= head.number;
      return !(within && Number(time) <= head.timestamp && first === time);
    });
    expect(wrong).toEqual([]);
  });

  it("have one Create action per stream, with its values", () => {
    const fields = ["hash", "timestamp", "contract", "sender"];
    const created = streams.map((stream) =>
      of(stream, "Create").map((row) => ({ ...row, sender: row["addressA"] })),
    );
    const valuesOf = (row: Readonly<Record<string, unknown>>) => fields.map((field) => row[field]).join(" ");
    expect(created.map((rows) => rows.map(valuesOf))).toEqual(streams.map((stream) => [valuesOf(stream)]));
  });

  it("have a stream for every action except ApprovalForAll", () => {
    const isWrong = ({ stream, category }: Row) => (stream === null) !== (category === "ApprovalForAll");
    expect(actions.filter(isWrong)).toEqual([]);
  });

  it("have transfers from the first recipient of a stream to its last", () => {
    const wrong = streams.filter((stream) => {
      let owner = of(stream, "Create")[0]?.["addressB"];
      const passes = of(stream, "Transfer").every((transfer) => {
        const from = owner;
        owner = transfer["addressB"];
        return stream["transferable"] === true && transfer["addressA"] === from;
      });
      return !passes || stream["recipient"] !== owner;
    });
    expect(wrong).toEqual([]);
  });

  it("have the asset's decimals in assetDecimalsValue", () => {
    const assets = byId("Asset");
    expect(streams.map((stream) => stream["assetDecimalsValue"])).toEqual(
      streams.map((stream) => assets.get(text(stream, "asset"))?.["decimals"]),
    );
  });

  it("have a batch for the streams of one transaction", () => {
    const created = groupBy(streams, "batch");
    const places = new Map<RowValue, number>();
    if (hasMany) expect(rows("Batch").some((batch) => batch["size"] !== "1")).toBe(true);
    for (const batch of rows("Batch")) {
      const members = created.get(text(batch, "id")) ?? [];
      expect(members).toHaveLength(Number(batch["size"]));
      expect(members.map((stream) => stream["position"])).toEqual(members.map((_, index) => String(index)));
      expect(new Set(members.map((stream) => stream["hash"])).size).toBe(1);
      const { hash, timestamp, batcher = null, position } = batch;
      if (members.length === 1) {
        expect([hash, timestamp, batcher, position]).toEqual([null, null, null, null]);
      } else {
        expect([hash, timestamp]).toEqual([members[0]?.["hash"], members[0]?.["timestamp"]]);
        expect(position).toBe(String(places.get(batcher) ?? 0));
        places.set(batcher, (places.get(batcher) ?? 0) + 1);
      }
    }
    const counted = rows("Batcher").map((batcher) => [batcher["id"], Number(batcher["batchCounter"])]);
    expect(new Map(counted as [RowValue, number][])).toEqual(places);
  });

  it("have revenue per day for every fee, and a user transaction for every sender", () => {
    const hashes = new Set(actions.map((action) => action["hash"]));
    expect(new Set(rows("UserTransaction").map((row) => row["hash"]))).toEqual(hashes);
    const paying = actions.filter((action) => action["fee"] !== null);
    expect(new Set(rows("RevenueTransaction").map((row) => row["hash"]))).toEqual(
      new Set(paying.map((action) => action["hash"])),
    );
    const payments = groupBy(rows("RevenueTransaction"), "revenue");
    for (const day of rows("Revenue")) {
      expect(day["id"]).toBe(`revenue-${chainId}-date-${day["date"]}`);
      expect(Number(day["dateTimestamp"]) / 1000).toBe(Date.parse(`${day["date"]}T00:00:00Z`));
      const paid = payments.get(text(day, "id")) ?? [];
      const total = paid.reduce((all, row) => all + Number(row["amount"]), 0);
      expect(day["amount"]).toBeCloseTo(total, 12);
      const seconds = paid.map((row) => Number(row["timestamp"]) - Number(day["dateTimestamp"]) / 1e6);
      expect(seconds.filter((second) => !(second >= 0 && second < 86_400))).toEqual([]);
    }
    const sent = groupBy(rows("UserTransaction"), "user");
    for (const user of rows("User")) {
      const transactions = sent.get(text(user, "id")) ?? [];
      expect(user["id"]).toBe(`user-${chainId}-${user["address"]}`);
      expect(transactions.length).toBeGreaterThan(0);
      expect(user["isOnlyAirdropClaimer"]).toBe(transactions.every((row) => row["isAirdropClaim"]));
    }
  });
});
