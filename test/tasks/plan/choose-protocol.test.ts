import { describe, expect, it } from "vitest";
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

describe("the protocol of an entity schema", () => {
  const cases: readonly (readonly [
    what: string,
    named: string | null,
    text: string | null,
    candidates: readonly ProtocolCandidate[],
    want: string,
  ])[] = [
    ["the named one, whatever its entities", "loans", AUCTION, TWO, "loans"],
    ["the only one", null, LOAN, [candidate("auctions", [AUCTION])], "auctions"],
    ["the one with the most similar snapshots", null, LOAN, TWO, "loans"],
    [
      "the most similar one, with a field removed and an entity added",
      null,
      `type Loan @entity { id: ID! rate: Int! } ${LOAN.replace("Loan", "Debt")}`,
      TWO,
      "loans",
    ],
    [
      "the one whose definition contains the file",
      null,
      AUCTION,
      [...TWO, candidate("lots", [], true)],
      "lots",
    ],
    ["the merged one", null, BOTH, [...TWO, candidate("streams", [BOTH])], "streams"],
    ["one of two parts of a merged one", null, LOAN, [...TWO, candidate("streams", [BOTH])], "loans"],
  ];
  it.each(cases)("is %s", (_, named, text, candidates, want) => {
    expect(chooseProtocol(named, text === null ? null : modelOf(text), candidates)).toBe(want);
  });

  it.each<[what: string, ...Parameters<typeof chooseProtocol>]>([
    ["error: an unknown name", "auction", modelOf(AUCTION), TWO],
    ["error: entities in no snapshot", null, modelOf("type Vault @entity { id: ID! a: Int }"), TWO],
    [
      "error: a part of the entities of a snapshot",
      null,
      modelOf(AUCTION),
      [candidate("auctions", [`${BOTH} type Lot @entity { id: ID! size: Int }`]), candidate("loans", [])],
    ],
    ["error: two equally similar ones", null, modelOf(AUCTION), [...TWO, candidate("lots", [AUCTION])]],
    ["error: no snapshots yet", null, modelOf(AUCTION), [candidate("auctions", []), candidate("loans", [])]],
    ["error: no file, and no definition with one", null, null, TWO],
    [
      "error: no file, and two definitions with one",
      null,
      null,
      TWO.map((one) => ({ ...one, isOwner: true })),
    ],
  ])("%s", (_, named, model, candidates) => {
    expect(() => chooseProtocol(named, model, candidates)).toThrow(/the protocols are auctions, loans/);
  });
});
