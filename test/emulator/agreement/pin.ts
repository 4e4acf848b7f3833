import { expect, it } from "vitest";
import type { Row } from "../../../emulator/styles/read-view.ts";
import { type Answer, type Ask, serveBoth } from "./serve-both.ts";

/** The expected answer: the ids of its only list, the message of its only error, or all of its data. */
export type Want = readonly string[] | RegExp | { readonly data: unknown };

/** A query in the dialect of a style, the expected answer, and variables. */
export type Asked = readonly [query: string, want: Want, variables?: Readonly<Record<string, unknown>>];

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

const FIRST = {
  name: "Élan 100%",
  mood: "BRISK",
  tons: "12",
  price: "1.50",
  prices: ["1.50"],
  tags: ["a", "b"],
  last: "gone",
  seen: "1700000000000001",
};

const few = serve([
  ship("s1", FIRST),
  ship("s2", { name: "a_b", mood: "CALM", tons: "7", hull: "0xbcda", tags: [] }),
  ship("s3", { home: "gone" }),
]);

/** More ships than a list of either style returns by default. */
const many = serve(
  Array.from({ length: 1200 }, (_, index) => ship(`s${String(index).padStart(4, "0")}`, {})),
);

function serve(ships: readonly Row[]) {
  const tables = { Port: [{ id: "p1", name: "Oslo" }], Ship: ships };
  return serveBoth(SCHEMA, new Map(Object.entries(tables)), { aggregates: ["Ship"] });
}

function ship(id: string, fields: Row): Row {
  const plain = { name: null, mood: "WILD", tons: null, price: null, prices: [], hull: "0xabcd" };
  return { id, ...plain, tags: null, home: "p1", last: null, seen: null, ...fields };
}

/** Defines a test for every row: a question about three ships that the styles answer differently. */
export function pinned(rows: readonly (readonly [name: string, subgraph: Asked, multichain: Asked])[]): void {
  it.each(rows)("%s", (_, subgraph, multichain) => {
    check(few.subgraph, subgraph);
    check(few.multichain, multichain);
  });
}

function check(ask: Ask, [query, want, variables]: Asked): void {
  const answer = ask({ query, variables: variables ?? null });
  const shown = JSON.stringify(answer);
  if (want instanceof RegExp) {
    // With an error, neither style returns data.
    expect(answer, shown).toEqual({
      errors: [expect.objectContaining({ message: expect.stringMatching(want) })],
    });
  } else if ("data" in want) {
    // As text, because the order of the keys is part of it.
    expect(shown).toBe(JSON.stringify(want));
  } else {
    expect(idsOf(answer), shown).toEqual(want);
  }
}

function idsOf(answer: Answer): unknown {
  const [list] = Object.values(answer.data ?? {});
  return Array.isArray(list) ? list.map((item) => item.id) : answer;
}

/** Returns how many of 1200 rows each style returns. */
export function countMany(subgraph: string, multichain: string): readonly [number, number] {
  const [left, right] = [
    many.subgraph({ query: subgraph, variables: null }),
    many.multichain({ query: multichain, variables: null }),
  ];
  return [countRows(left), countRows(right)];
}

function countRows(answer: Answer): number {
  let [value]: unknown[] = Object.values(answer.data ?? {});
  while (value !== null && typeof value === "object" && !Array.isArray(value)) [value] = Object.values(value);
  if (!Array.isArray(value)) throw new Error(`No list: ${JSON.stringify(answer)}`);
  return value.length;
}
