import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../../src/emulator/entities/index.ts";
import { buildAccountingRows } from "../../../src/emulator/rows/build-accounting-rows.ts";
import { buildChainRows } from "../../../src/emulator/rows/build-chain-rows.ts";
import { chainState } from "../../../src/emulator/rows/chain-clock.ts";
import type { Row, RowValue } from "../../../src/model/rows.ts";
import type { Protocol } from "../../../src/model/vocabulary.ts";

const SEED = "a test";
const CHAINS = [1, 56, 11155111];

/** The rows of one protocol on one chain, and questions about them. */
function world(protocol: Protocol, chainId: number) {
  const { tables, transactions } = buildChainRows(SEED, protocol, chainId, null);
  const rows = (entity: string) => tables.get(entity) ?? [];
  const byId = (entity: string) => new Map(rows(entity).map((row) => [text(row, "id"), row]));
  return { chainId, rows, byId, transactions, head: chainState(SEED, chainId).head };
}

type World = ReturnType<typeof world>;

function text(row: Row | undefined, field: string): string {
  const value = row?.[field];
  if (typeof value !== "string") throw new TypeError(`${field} is ${JSON.stringify(value)}, not text.`);
  return value;
}

function big(row: Row | undefined, field: string): bigint {
  return BigInt(text(row, field));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function groupBy(rows: readonly Row[], field: string): Map<RowValue, Row[]> {
  const groups = new Map<RowValue, Row[]>();
  for (const row of rows) {
    const value = row[field] ?? null;
    groups.set(value, [...(groups.get(value) ?? []), row]);
  }
  return groups;
}

/** The actions of a stream with this category, in the chain's order. */
function actionsOf({ rows }: World): (stream: Row, ...categories: string[]) => Row[] {
  const byStream = groupBy(rows("Action"), "stream");
  return (stream, ...categories) =>
    (byStream.get(text(stream, "id")) ?? []).filter((action) =>
      categories.includes(text(action, "category")),
    );
}

const worlds = (["lockup", "flow"] as const).flatMap((protocol) =>
  CHAINS.map((chainId) => [protocol, chainId] as const),
);

describe.each(worlds)("the rows of %s on chain %i", (protocol, chainId) => {
  const here = world(protocol, chainId);
  const { rows, byId, head } = here;
  const streams = rows("Stream");
  const actions = rows("Action");
  const of = actionsOf(here);

  it("are some hundreds of streams of every category, in 6 to 10 assets", () => {
    expect(streams.length).toBeGreaterThanOrEqual(180);
    expect(streams.length).toBeLessThanOrEqual(320);
    expect(rows("Asset").length).toBeGreaterThanOrEqual(6);
    expect(rows("Asset").length).toBeLessThanOrEqual(10);
    expect(new Set(rows("Asset").map((asset) => asset["decimals"]))).toEqual(new Set(["6", "8", "18"]));
  });

  it("have every member of every enum", () => {
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

  it("have a value of the right kind under every stored field, and nothing else", () => {
    const matches: Record<string, (value: RowValue) => boolean> = {
      String: (value) => typeof value === "string",
      ID: (value) => typeof value === "string",
      BigInt: (value) => typeof value === "string" && /^(0|[1-9]\d*)$/.test(value),
      Bytes: (value) => typeof value === "string" && /^0x([0-9a-f]{2})+$/.test(value),
      Boolean: (value) => typeof value === "boolean",
      Float: (value) => typeof value === "number",
      Timestamp: (value) => typeof value === "string" && /^\d{16}$/.test(value),
    };
    const accounting = buildAccountingRows(chainId, here.transactions);
    for (const definition of entitiesOf(protocol, "multichain").definitions) {
      if (definition.kind !== "entity") continue;
      const stored = definition.fields.filter(({ derived }) => !derived);
      const table = accounting.get(definition.name) ?? rows(definition.name);
      expect(table.length, definition.name).toBeGreaterThan(0);
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
    const entities = entitiesOf(protocol, "subgraph").definitions.filter(({ kind }) => kind === "entity");
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
    };
    for (const [entity, format] of Object.entries(formats)) {
      const ids = rows(entity).map((row) => text(row, "id"));
      expect(new Set(ids).size, entity).toBe(ids.length);
      expect(
        ids.filter((id) => !format.test(id)),
        entity,
      ).toEqual([]);
    }
    for (const row of streams) {
      expect(row["id"]).toBe(`${row["contract"]}-${chainId}-${row["tokenId"]}`);
      expect(row["alias"]).toMatch(
        new RegExp(`^(L[LD][23]?|LT3|LK2?|FL[23]?)-${chainId}-${row["tokenId"]}$`),
      );
    }
    for (const row of actions) expect(text(row, "id")).toContain(`-${row["hash"]}-`);
  });

  it("have exactly one watcher, which has counted right", () => {
    expect(rows("Watcher")).toEqual([
      {
        id: String(chainId),
        chainId: String(chainId),
        actionCounter: String(actions.length),
        streamCounter: String(streams.length),
      },
    ]);
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
    for (const [contract, tokens] of groupBy(streams, "contract")) {
      expect(
        tokens.map((row) => row["tokenId"]),
        String(contract),
      ).toEqual(tokens.map((_, index) => String(index + 1)));
    }
  });

  it("lie between the first block and the head, with one time per block", () => {
    const { startBlock } = chainState(SEED, chainId);
    const times = new Map<string, string>();
    for (const action of actions) {
      const block = text(action, "block");
      expect(Number(block)).toBeGreaterThanOrEqual(startBlock);
      expect(Number(block)).toBeLessThanOrEqual(head.number);
      expect(Number(action["timestamp"])).toBeLessThanOrEqual(head.timestamp);
      expect(times.get(block) ?? action["timestamp"]).toBe(action["timestamp"]);
      times.set(block, text(action, "timestamp"));
    }
  });

  it("have one Create per stream, which agrees with it", () => {
    for (const stream of streams) {
      const created = of(stream, "Create");
      expect(created).toHaveLength(1);
      expect(created[0]).toMatchObject({
        hash: stream["hash"],
        timestamp: stream["timestamp"],
        contract: stream["contract"],
        addressA: stream["sender"],
      });
    }
  });

  it("have no stream under an ApprovalForAll and one under everything else", () => {
    for (const action of actions) {
      expect(action["stream"] === null).toBe(action["category"] === "ApprovalForAll");
    }
  });

  it("hand every stream from its first recipient to its last", () => {
    for (const stream of streams) {
      let owner = of(stream, "Create")[0]?.["addressB"];
      for (const transfer of of(stream, "Transfer")) {
        expect(stream["transferable"]).toBe(true);
        expect(transfer["addressA"]).toBe(owner);
        owner = transfer["addressB"];
      }
      expect(stream["recipient"]).toBe(owner);
    }
  });

  it("withdraw what the stream says was withdrawn", () => {
    for (const stream of streams) {
      const withdrawals = of(stream, "Withdraw").map((action) => big(action, "amountB"));
      expect(withdrawals.every((amount) => amount > 0n)).toBe(true);
      expect(sum(withdrawals)).toBe(big(stream, "withdrawnAmount"));
    }
  });

  it("copy the asset's decimals", () => {
    const assets = byId("Asset");
    for (const stream of streams) {
      expect(stream["assetDecimalsValue"]).toBe(assets.get(text(stream, "asset"))?.["decimals"]);
    }
  });

  it("batch what one transaction created", () => {
    const created = groupBy(streams, "batch");
    const places = new Map<RowValue, number>();
    expect(rows("Batch").some((batch) => batch["size"] !== "1")).toBe(true);
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

  it("account for every fee by day and every transaction by sender", () => {
    const accounting = buildAccountingRows(chainId, here.transactions);
    const table = (name: string) => accounting.get(name) ?? [];
    const hashes = new Set(actions.map((action) => action["hash"]));
    expect(new Set(table("UserTransaction").map((row) => row["hash"]))).toEqual(hashes);
    const paying = actions.filter((action) => action["fee"] !== null);
    expect(new Set(table("RevenueTransaction").map((row) => row["hash"]))).toEqual(
      new Set(paying.map((action) => action["hash"])),
    );
    const payments = groupBy(table("RevenueTransaction"), "revenue");
    for (const day of table("Revenue")) {
      expect(day["id"]).toBe(`revenue-${chainId}-date-${day["date"]}`);
      expect(Number(day["dateTimestamp"]) / 1000).toBe(Date.parse(`${day["date"]}T00:00:00Z`));
      const paid = payments.get(text(day, "id")) ?? [];
      const total = paid.reduce((all, row) => all + Number(row["amount"]), 0);
      expect(day["amount"]).toBeCloseTo(total, 12);
      for (const payment of paid) {
        const seconds = Number(payment["timestamp"]) - Number(day["dateTimestamp"]) / 1e6;
        expect(seconds >= 0 && seconds < 86_400).toBe(true);
      }
    }
    const sent = groupBy(table("UserTransaction"), "user");
    for (const user of table("User")) {
      const own = sent.get(text(user, "id")) ?? [];
      expect(user["id"]).toBe(`user-${chainId}-${user["address"]}`);
      expect(own.length).toBeGreaterThan(0);
      expect(user["isOnlyAirdropClaimer"]).toBe(own.every((row) => row["isAirdropClaim"]));
    }
  });
});

describe.each(CHAINS)("the Lockup streams on chain %i", (chainId) => {
  const here = world("lockup", chainId);
  const { rows, byId, head } = here;
  const streams = rows("Stream");
  const of = actionsOf(here);
  const segments = groupBy(rows("Segment"), "stream");
  const tranches = groupBy(rows("Tranche"), "stream");

  it("have pieces where their category has them, which cover the whole stream", () => {
    for (const stream of streams) {
      const id = text(stream, "id");
      expect(segments.has(id)).toBe(stream["category"] === "LockupDynamic");
      expect(tranches.has(id)).toBe(stream["category"] === "LockupTranched");
      const pieces = segments.get(id) ?? tranches.get(id);
      if (pieces === undefined) continue;
      let [time, amount] = [big(stream, "startTime"), 0n];
      for (const [index, piece] of pieces.entries()) {
        expect(piece["position"]).toBe(String(index));
        expect(big(piece, "startTime")).toBe(time);
        expect(big(piece, "startAmount")).toBe(amount);
        amount += big(piece, "amount");
        expect(big(piece, "endAmount")).toBe(amount);
        expect(big(piece, "endTime")).toBeGreaterThan(time);
        time = big(piece, "endTime");
      }
      expect(amount).toBe(big(stream, "depositAmount"));
      expect(time).toBe(big(stream, "endTime"));
    }
  });

  it("add up", () => {
    for (const stream of streams) {
      expect(big(stream, "intactAmount")).toBe(big(stream, "depositAmount") - big(stream, "withdrawnAmount"));
      expect(big(stream, "duration")).toBe(big(stream, "endTime") - big(stream, "startTime"));
      expect(big(of(stream, "Create")[0], "amountA")).toBe(big(stream, "depositAmount"));
    }
  });

  it("never pay out more than has unlocked", () => {
    for (const stream of streams) {
      let withdrawn = 0n;
      const [cancel] = of(stream, "Cancel");
      for (const withdrawal of of(stream, "Withdraw")) {
        withdrawn += big(withdrawal, "amountB");
        const at = cancel
          ? min(big(cancel, "timestamp"), big(withdrawal, "timestamp"))
          : big(withdrawal, "timestamp");
        expect(withdrawn).toBeLessThanOrEqual(unlocked(stream, at));
      }
      expect(withdrawn).toBeLessThanOrEqual(unlocked(stream, BigInt(head.timestamp)));
    }
  });

  it("are canceled and renounced by an action, once and not both", () => {
    const actions = byId("Action");
    for (const stream of streams) {
      const cancels = of(stream, "Cancel");
      const renounces = of(stream, "Renounce");
      expect(cancels.length + renounces.length).toBeLessThanOrEqual(1);
      expect(stream["canceled"]).toBe(cancels.length === 1);
      expect(stream["canceledAction"]).toBe(cancels[0]?.["id"] ?? null);
      expect(stream["canceledTime"]).toBe(cancels[0]?.["timestamp"] ?? null);
      expect(stream["renounceAction"]).toBe(renounces[0]?.["id"] ?? null);
      expect(stream["renounceTime"]).toBe(renounces[0]?.["timestamp"] ?? null);
      if (cancels.length + renounces.length > 0) expect(stream["cancelable"]).toBe(false);
      const canceled = actions.get(String(stream["canceledAction"]));
      if (canceled) {
        const at = big(canceled, "timestamp");
        const before = of(stream, "Withdraw").filter((action) => big(action, "timestamp") < at);
        const paid = sum(before.map((action) => big(action, "amountB")));
        expect(big(canceled, "amountA") + big(canceled, "amountB") + paid).toBe(big(stream, "depositAmount"));
        expect(at).toBeLessThan(big(stream, "endTime"));
      }
    }
  });

  it("know a cliff and an initial unlock only where there can be one", () => {
    for (const stream of streams) {
      const linear = stream["category"] === "LockupLinear";
      const merged = /^LK/.test(text(stream, "alias"));
      expect(stream["cliff"] !== null).toBe(linear);
      expect(stream["cliffTime"] !== null).toBe(stream["cliff"] === true);
      expect(stream["cliffAmount"] !== null).toBe(stream["cliff"] === true);
      expect(stream["initial"] !== null).toBe(linear && merged);
      expect(stream["initialAmount"] !== null).toBe(stream["initial"] === true);
      expect(stream["shape"] !== null).toBe(merged);
      expect(stream["proxender"] !== null).toBe(stream["proxied"]);
    }
  });

  it("have every state there is", () => {
    const now = BigInt(head.timestamp);
    const states: Record<string, (stream: Row) => boolean> = {
      pending: (stream) => big(stream, "startTime") > now,
      streaming: (stream) => big(stream, "startTime") <= now && big(stream, "endTime") > now,
      settled: (stream) => big(stream, "endTime") <= now && stream["canceled"] === false,
      depleted: (stream) => stream["intactAmount"] === "0",
      canceled: (stream) => stream["canceled"] === true,
      renounced: (stream) => stream["renounceAction"] !== null,
      proxied: (stream) => stream["proxied"] === true,
      cliff: (stream) => stream["cliff"] === true,
      initial: (stream) => stream["initial"] === true,
    };
    for (const [name, holds] of Object.entries(states)) expect(streams.some(holds), name).toBe(true);
  });

  /** What has unlocked at a time, read from the rows alone. */
  function unlocked(stream: Row, time: bigint): bigint {
    const [start, end] = [big(stream, "startTime"), big(stream, "endTime")];
    const deposit = big(stream, "depositAmount");
    const id = text(stream, "id");
    const tranched = tranches.get(id);
    if (tranched) {
      return sum(tranched.filter((row) => big(row, "endTime") <= time).map((row) => big(row, "amount")));
    }
    const dynamic = segments.get(id);
    if (dynamic) return sum(dynamic.map((segment) => risen(segment, time)));
    if (time < start) return 0n;
    if (time >= end) return deposit;
    const initial = stream["initial"] ? big(stream, "initialAmount") : 0n;
    const cliffTime = stream["cliff"] ? big(stream, "cliffTime") : start;
    const cliff = stream["cliff"] ? big(stream, "cliffAmount") : 0n;
    if (time < cliffTime) return initial;
    const rest = deposit - initial - cliff;
    return initial + cliff + (rest * (time - cliffTime)) / (end - cliffTime);
  }
});

function risen(segment: Row, time: bigint): bigint {
  const [start, end] = [big(segment, "startTime"), big(segment, "endTime")];
  if (time <= start) return 0n;
  if (time >= end) return big(segment, "amount");
  const exponent = big(segment, "exponent") / 10n ** 18n;
  return (big(segment, "amount") * (time - start) ** exponent) / (end - start) ** exponent;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

describe.each(CHAINS)("the Flow streams on chain %i", (chainId) => {
  const here = world("flow", chainId);
  const { rows, head } = here;
  const streams = rows("Stream");
  const of = actionsOf(here);
  const total = (stream: Row, category: string, amount: string) =>
    sum(of(stream, category).map((action) => big(action, amount)));

  it("add up", () => {
    for (const stream of streams) {
      expect(big(stream, "depositedAmount")).toBe(total(stream, "Deposit", "amountA"));
      expect(big(stream, "refundedAmount")).toBe(total(stream, "Refund", "amountA"));
      expect(big(stream, "forgivenDebt")).toBe(total(stream, "Void", "amountB"));
      const left =
        big(stream, "depositedAmount") - big(stream, "withdrawnAmount") - big(stream, "refundedAmount");
      expect(big(stream, "availableAmount")).toBe(left);
    }
  });

  it("replay from their actions to what they are", () => {
    for (const stream of streams) {
      const scale = 10n ** (18n - big(stream, "assetDecimalsValue"));
      const history = of(
        stream,
        "Create",
        "Deposit",
        "Adjust",
        "Pause",
        "Restart",
        "Refund",
        "Void",
        "Withdraw",
      );
      let [rate, accrued, since, balance, paid, forgiven] = [0n, 0n, 0n, 0n, 0n, 0n];
      for (const action of history) {
        const at = big(action, "timestamp");
        const owed = (accrued + rate * (at - since)) / scale - paid - forgiven;
        const adjust = (next: bigint) => {
          accrued += rate * (at - since);
          since = at;
          rate = next;
        };
        switch (action["category"]) {
          case "Create":
            since = at;
            rate = big(action, "amountA");
            break;
          case "Deposit":
            balance += big(action, "amountA");
            break;
          case "Adjust":
            expect(big(action, "amountB")).toBe(rate);
            expect(big(action, "amountA")).not.toBe(rate);
            adjust(big(action, "amountA"));
            break;
          case "Pause":
            expect(rate).toBeGreaterThan(0n);
            expect(big(action, "amountA")).toBe(owed);
            adjust(0n);
            break;
          case "Restart":
            expect(rate).toBe(0n);
            adjust(big(action, "amountA"));
            break;
          case "Refund":
            balance -= big(action, "amountA");
            expect(balance).toBeGreaterThanOrEqual(owed);
            break;
          case "Void":
            expect(big(action, "amountA") + big(action, "amountB")).toBe(owed);
            expect(big(action, "amountA")).toBeLessThanOrEqual(balance);
            adjust(0n);
            forgiven = big(action, "amountB");
            break;
          case "Withdraw":
            expect(big(action, "amountB")).toBeLessThanOrEqual(min(owed, balance));
            balance -= big(action, "amountB");
            paid += big(action, "amountB");
            break;
        }
      }
      expect(big(stream, "ratePerSecond")).toBe(rate);
      expect(big(stream, "snapshotAmount")).toBe(accrued);
      expect(big(stream, "lastAdjustmentTimestamp")).toBe(since);
      expect(big(stream, "availableAmount")).toBe(balance);
      const funds = (balance + paid) * scale;
      const depletion = rate === 0n ? 0n : since + (funds > accrued ? (funds - accrued) / rate : 0n);
      expect(big(stream, "depletionTime")).toBe(depletion);
    }
  });

  it("are adjusted, paused and voided by the actions they name", () => {
    for (const stream of streams) {
      const last = of(stream, "Adjust", "Pause", "Restart", "Void").at(-1);
      expect(stream["lastAdjustmentAction"]).toBe(last?.["id"] ?? null);
      const [voided] = of(stream, "Void");
      expect(stream["voided"]).toBe(voided !== undefined);
      expect(stream["voidedAction"]).toBe(voided?.["id"] ?? null);
      expect(stream["voidedTime"]).toBe(voided?.["timestamp"] ?? null);
      expect(stream["paused"]).toBe(stream["ratePerSecond"] === "0");
      const pausing = of(stream, "Pause", "Restart", "Void").reduce<Row | null>(
        (pause, action) => (action["category"] === "Restart" ? null : (pause ?? action)),
        null,
      );
      expect(stream["pausedAction"]).toBe(pausing?.["id"] ?? null);
      expect(stream["pausedTime"]).toBe(pausing?.["timestamp"] ?? null);
    }
  });

  it("have every state there is", () => {
    const now = BigInt(head.timestamp);
    const states: Record<string, (stream: Row) => boolean> = {
      solvent: (stream) => big(stream, "depletionTime") > now,
      insolvent: (stream) => stream["paused"] === false && big(stream, "depletionTime") <= now,
      paused: (stream) => stream["paused"] === true && stream["voided"] === false,
      voided: (stream) => stream["voided"] === true,
      adjusted: (stream) => stream["lastAdjustmentAction"] !== null,
      refunded: (stream) => stream["refundedAmount"] !== "0",
    };
    for (const [name, holds] of Object.entries(states)) expect(streams.some(holds), name).toBe(true);
  });
});

describe("buildChainRows", () => {
  it("depends on the seed, the protocol and the chain, and on nothing that was built before", () => {
    const first = buildChainRows("one", "lockup", 10, null).tables;
    buildChainRows("one", "flow", 10, null);
    buildChainRows("one", "lockup", 11, null);
    expect(buildChainRows("one", "lockup", 10, null).tables).toEqual(first);
    expect(buildChainRows("two", "lockup", 10, null).tables).not.toEqual(first);
    const other = buildChainRows("one", "lockup", 11, null).tables;
    expect(other.get("Action")?.[0]?.["hash"]).not.toBe(first.get("Action")?.[0]?.["hash"]);
  });

  it.each([0, 1, 25])("makes %i streams when told to", (count) => {
    expect(buildChainRows("one", "flow", 10, count).tables.get("Stream")).toHaveLength(count);
  });
});
