import { expect, it } from "vitest";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { chooseProtocol, type ProtocolCandidate } from "../../../src/tasks/plan/resolve-plan.ts";

const modelOf = (text: string) => parseEntities(text, "entities.graphql");

const AUCTION = "type Auction @entity { id: ID! price: BigInt! seller: Bytes! }";
const LOAN = "type Loan @entity { id: ID! rate: BigInt! lender: Bytes! }";
const BOTH = `${AUCTION} ${LOAN}`;

/** A protocol with these entities in its snapshots; its definition may contain the file's path. */
function candidate(protocol: string, texts: readonly string[], isOwner = false): ProtocolCandidate {
  return { protocol, isOwner, models: () => texts.map(modelOf) };
}

const TWO = [candidate("auctions", [AUCTION, AUCTION]), candidate("loans", [LOAN])];

const DEBT = `type Loan @entity { id: ID! rate: Int! } ${LOAN.replace("Loan", "Debt")}`;
const THREE = [...TWO, candidate("streams", [BOTH])];

it.each<
  [what: string, named: string | null, text: string, candidates: readonly ProtocolCandidate[], want: string]
>([
  ["the named one, whatever its entities", "loans", AUCTION, TWO, "loans"],
  ["the only one", null, LOAN, [candidate("auctions", [AUCTION])], "auctions"],
  ["the one with the most similar snapshots", null, LOAN, TWO, "loans"],
  ["the most similar one, with a field removed and an entity added", null, DEBT, TWO, "loans"],
  [
    "the one whose definition contains the file",
    null,
    AUCTION,
    [...TWO, candidate("lots", [], true)],
    "lots",
  ],
  ["the merged one", null, BOTH, THREE, "streams"],
  ["one of two parts of a merged one", null, LOAN, THREE, "loans"],
])("the protocol of an entity schema is %s", (_, named, text, candidates, want) => {
  expect(chooseProtocol(named, modelOf(text), candidates)).toBe(want);
});

const PART = candidate("auctions", [`${BOTH} type Lot @entity { id: ID! size: Int }`]);
const EMPTY = candidate("loans", []);
it.each<[what: string, named: string | null, text: string | null, candidates: readonly ProtocolCandidate[]]>([
  ["an unknown name", "auction", AUCTION, TWO],
  ["entities in no snapshot", null, "type Vault @entity { id: ID! a: Int }", TWO],
  ["a part of the entities of a snapshot", null, AUCTION, [PART, EMPTY]],
  ["two equally similar ones", null, AUCTION, [...TWO, candidate("lots", [AUCTION])]],
  ["no snapshots yet", null, AUCTION, [candidate("auctions", []), EMPTY]],
  ["no file, and no definition with one", null, null, TWO],
  ["no file, and two definitions with one", null, null, TWO.map((one) => ({ ...one, isOwner: true }))],
])("error: the protocol of an entity schema: %s", (_, named, text, candidates) => {
  const model = text === null ? null : modelOf(text);
  expect(() => chooseProtocol(named, model, candidates)).toThrow(/the protocols are auctions, loans/);
});
