import type { Row } from "../../styles/read-view.ts";
import type { Accounts } from "./build-accounts.ts";
import type { Asset } from "./build-assets.ts";
import type { ChainClock } from "./chain-clock.ts";
import type { Batches } from "./create-batches.ts";
import type { EventLog } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";
import type { Creation } from "./plan-creations.ts";
import type { Stream } from "./stream.ts";

/** What one protocol's streams on one chain are made of. */
export type SimulationState = {
  readonly random: Random;
  readonly clock: ChainClock;
  readonly log: EventLog;
  readonly batches: Batches;
  readonly accounts: Accounts;
  readonly assets: readonly Asset[];
};

/** How the streams of a protocol are simulated. `S` is what a stream of it is. */
export type StreamSimulation<S extends Stream> = {
  /** Opens the streams of one transaction; `after` is how many there are. */
  readonly open: (creation: Creation, after: number) => S[];
  /** Lets something happen to a stream; false when nothing does this time. */
  readonly simulateEvent: (stream: S, block: number) => boolean;
  readonly streamRow: (stream: S) => Row;
  /** The rows of other entities that come into being with a stream, by entity. */
  readonly partRows: ReadonlyMap<string, (stream: S) => Row[]>;
};
