import { once } from "../../../src/base/collections.ts";
import type { Row } from "../../styles/read-view.ts";
import type { ChainHistory } from "./chain-history.ts";
import { changesStream } from "./changes-stream.ts";
import type { WrittenTables } from "./create-store-versions.ts";
import type { Stream } from "./stream.ts";

/** Tells at which block each row of a history became what it is, from what happened; looked through when first asked. */
export function baseWrittenAt<S extends Stream>(history: ChainHistory<S>): WrittenTables["baseWrittenAt"] {
  const { streams, actions, batches, transactions, clock } = history;
  const streamsChanged = once(() => {
    const blocks = new Map<string, number>();
    for (const action of actions) {
      if (action.stream !== null && changesStream(action)) blocks.set(action.stream, Number(action.block));
    }
    return blocks;
  });
  const streamsCreated = once(() => new Map(streams.map(({ id, creation }) => [id, creation.block])));
  const assetsSeen = once(() => {
    const blocks = new Map<string, number>();
    for (const { asset, creation } of streams) {
      if (!blocks.has(asset.id)) blocks.set(asset.id, creation.block);
    }
    return blocks;
  });
  const batchersChanged = once(() => {
    const blocks = new Map<string, number>();
    for (const { position, batcher, creation } of batches) {
      if (position !== null) blocks.set(batcher.id, creation.block);
    }
    return blocks;
  });
  /** By the address of a user: its first transaction, or the first that claimed no airdrop after some that did. */
  const usersChanged = once(() => {
    const users = new Map<string, { block: number; onlyClaims: boolean }>();
    for (const { from, claim, block } of transactions) {
      const user = users.get(from);
      if (user === undefined) users.set(from, { block, onlyClaims: claim });
      else if (user.onlyClaims && !claim) users.set(from, { block, onlyClaims: false });
    }
    return users;
  });
  /** By the midnight of a day, in Unix seconds: its last payment. */
  const daysChanged = once(() => {
    const days = new Map<number, number>();
    for (const { timestamp, fee, block } of transactions) {
      if (fee !== null) days.set(timestamp - (timestamp % DAY), block);
    }
    return days;
  });
  const creationOf = (row: Row) => streamsCreated().get(String(row["stream"]));
  const known: Readonly<Record<string, (row: Row, position: number) => number | undefined>> = {
    Asset: ({ id }) => assetsSeen().get(String(id)),
    Watcher: () => Number(actions.at(-1)?.block ?? clock.startBlock),
    Stream: ({ id }) => streamsChanged().get(String(id)),
    Action: ({ block }) => Number(block),
    Batch: (_, position) => batches[position]?.creation.block,
    Batcher: ({ id }) => batchersChanged().get(String(id)),
    Segment: creationOf,
    Tranche: creationOf,
    Revenue: ({ dateTimestamp }) => daysChanged().get(Number(dateTimestamp) / MICROSECONDS),
    RevenueTransaction: ({ block }) => Number(block),
    User: ({ address }) => usersChanged().get(String(address))?.block,
    UserTransaction: ({ block }) => Number(block),
  };
  return (entity, row, position) => known[entity]?.(row, position) ?? clock.startBlock;
}

const DAY = 86_400;
const MICROSECONDS = 1_000_000;
