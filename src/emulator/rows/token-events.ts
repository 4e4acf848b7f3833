import type { Ledger } from "./create-ledger.ts";
import type { Random } from "./create-random.ts";
import type { Stream } from "./stream.ts";

/** What happens to a stream as an ERC-721 token, which is the same in both protocols. */
export type TokenEvent = (moment: {
  readonly stream: Stream;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly people: readonly string[];
  readonly block: number;
}) => void;

/** The owner hands the token to someone else. */
export const handOver: TokenEvent = ({ stream, ledger, random, people, block }) => {
  const owner = stream.recipient;
  let next = owner;
  while (next === owner) next = random.pick(people);
  ledger.record(ledger.transact(block, owner), {
    category: "Transfer",
    contract: stream.contract.address,
    stream: stream.id,
    addresses: [owner, next],
  });
  stream.recipient = next;
};

const approve: TokenEvent = ({ stream, ledger, random, people, block }) => {
  ledger.record(ledger.transact(block, stream.recipient), {
    category: "Approval",
    contract: stream.contract.address,
    stream: stream.id,
    addresses: [stream.recipient, random.pick(people)],
  });
};

const approveForAll: TokenEvent = ({ stream, ledger, random, people, block }) => {
  ledger.record(ledger.transact(block, stream.recipient), {
    category: "ApprovalForAll",
    contract: stream.contract.address,
    stream: null,
    addresses: [stream.recipient, random.pick(people)],
  });
};

/** What may happen at any time, with how likely it is. */
export const tokenEvents: readonly (readonly [weight: number, event: TokenEvent])[] = [
  [2, approve],
  [1, approveForAll],
];
