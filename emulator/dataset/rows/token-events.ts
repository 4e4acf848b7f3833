import type { EventLog } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";
import type { Stream } from "./stream.ts";

/** Where things happen to streams, and who may come to own one. */
export type EventInputs = {
  readonly log: EventLog;
  readonly random: Random;
  readonly people: readonly string[];
};

/** What happens to a stream as an ERC-721 token, which is the same in both protocols. */
export type TokenEvent = (context: EventInputs & { readonly stream: Stream; readonly block: number }) => void;

/** The owner hands the token to someone else. */
export const handOver: TokenEvent = ({ stream, log, random, people, block }) => {
  const owner = stream.recipient;
  let next = owner;
  while (next === owner) next = random.pick(people);
  log.record(log.transact(block, owner), {
    category: "Transfer",
    contract: stream.contract.address,
    stream: stream.id,
    addresses: [owner, next],
  });
  stream.recipient = next;
};

const approve: TokenEvent = ({ stream, log, random, people, block }) => {
  log.record(log.transact(block, stream.recipient), {
    category: "Approval",
    contract: stream.contract.address,
    stream: stream.id,
    addresses: [stream.recipient, random.pick(people)],
  });
};

const approveForAll: TokenEvent = ({ stream, log, random, people, block }) => {
  log.record(log.transact(block, stream.recipient), {
    category: "ApprovalForAll",
    contract: stream.contract.address,
    stream: null,
    addresses: [stream.recipient, random.pick(people)],
  });
};

/** What may happen at any time, and how likely each of it is. */
export const TOKEN_EVENTS: readonly TokenEvent[] = [approve, approveForAll];
export const TOKEN_EVENT_WEIGHTS: readonly number[] = [2, 1];
