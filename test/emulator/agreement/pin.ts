import { expect } from "vitest";
import type { Row } from "../../../emulator/styles/read-view.ts";
import { type Answer, serveBoth } from "./serve-both.ts";

/** The expected answer: the ids of its only list, the message of its only error, or all of its data. */
export type Want = readonly string[] | string | { readonly data: unknown };

/** A query in the dialect of one style, with its expected answer. */
export type Side = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly want: Want;
};

/** A question that the styles answer differently. */
export type Disagreement = { readonly subgraph: Side; readonly multichain: Side };

const SCHEMA = `
  enum Mood { WILD CALM BRISK }
  type Port @entity { id: ID!  name: String!  ships: [Ship!]! @derivedFrom(field: "home") }
  type Ship @entity {
    id: ID!
    name: String
    mood: Mood!
    tons: BigInt
    price: BigDecimal
    prices: [BigDecimal!]!
    hull: Bytes!
    tags: [String!]
    home: Port!
    last: Port
    seen: Timestamp
  }
`;

const PORTS: readonly Row[] = [{ id: "p1", name: "Oslo" }];

const SHIPS: readonly Row[] = [
  ship("s1", {
    name: "Élan 100%",
    mood: "BRISK",
    tons: "12",
    price: "1.50",
    prices: ["1.50"],
    tags: ["a", "b"],
    last: "gone",
    seen: "1700000000000001",
  }),
  ship("s2", { name: "a_b", mood: "CALM", tons: "7", hull: "0xbcda", tags: [] }),
  ship("s3", { home: "gone" }),
];

function ship(id: string, given: Row): Row {
  const plain = { name: null, mood: "WILD", tons: null, price: null, prices: [], hull: "0xabcd" };
  return { id, ...plain, tags: null, home: "p1", last: null, seen: null, ...given };
}

/** More ships than a list of either style returns by default. */
const CROWD = Array.from({ length: 1200 }, (_, index) => ship(`s${String(index).padStart(4, "0")}`, {}));

const few = serveBoth(
  SCHEMA,
  new Map([
    ["Port", PORTS],
    ["Ship", SHIPS],
  ]),
  { aggregates: ["Ship"] },
);
const many = serveBoth(
  SCHEMA,
  new Map([
    ["Port", PORTS],
    ["Ship", CROWD],
  ]),
);

/** Queries the three ships in each style, and compares the answers with the expected ones. */
export function pin({ subgraph, multichain }: Disagreement): void {
  check(few.subgraph({ query: subgraph.query, variables: subgraph.variables }), subgraph);
  check(few.multichain({ query: multichain.query, variables: multichain.variables }), multichain);
}

/** Returns how many of 1200 rows each style returns. */
export function countMany(subgraph: string, multichain: string): readonly [number, number] {
  return [
    countRows(many.subgraph({ query: subgraph, variables: null })),
    countRows(many.multichain({ query: multichain, variables: null })),
  ];
}

function check(answer: Answer, { want }: Side): void {
  const shown = JSON.stringify(answer);
  if (typeof want === "string") {
    // With an error, neither style returns data.
    expect(answer, shown).toEqual({ errors: [expect.objectContaining({ message: want })] });
  } else if ("data" in want) {
    // As text, because the order of the keys is part of it.
    expect(JSON.stringify(answer), shown).toBe(JSON.stringify(want));
  } else {
    expect(idsOf(answer), shown).toEqual(want);
  }
}

function idsOf(answer: Answer): unknown {
  const [list] = Object.values(answer.data ?? {});
  return Array.isArray(list) ? list.map((item) => item.id) : answer;
}

function countRows(answer: Answer): number {
  let [value]: unknown[] = Object.values(answer.data ?? {});
  while (value !== null && typeof value === "object" && !Array.isArray(value)) [value] = Object.values(value);
  if (!Array.isArray(value)) throw new Error(`No list: ${JSON.stringify(answer)}`);
  return value.length;
}
