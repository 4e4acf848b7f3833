import type { Moment, Row, RowStore, RowValue } from "../../../../src/model/rows.ts";
import { parseEntities } from "../../../../src/schema/parse-entities.ts";
import type { ServedIndexer } from "../../../../src/styles/style.ts";
import { deriveSubgraph } from "../../../../src/styles/subgraph/derive.ts";
import { createSubgraphExecutor } from "../../../../src/styles/subgraph/execute.ts";

export const HEAD_HASH = `0x${"ab".repeat(32)}`;
export const PARENT_HASH = `0x${"cd".repeat(32)}`;
export const DEPLOYMENT = "QmTest";
export const START_BLOCK = 5;
export const HEAD_BLOCK = 10;

/** Rows by entity, over plain arrays: slow, and obviously right. */
export function createArrayStore(tables: Readonly<Record<string, readonly Row[]>>): RowStore {
  const rows = (entity: string) => tables[entity] ?? [];
  const holds = (stored: RowValue | undefined, value: RowValue) =>
    Array.isArray(stored) ? stored.includes(value) : stored === value;
  return {
    rows,
    find: (entity, id) => rows(entity).find((row) => row["id"] === id),
    matching: (entity, field, value) => rows(entity).filter((row) => holds(row[field], value)),
    writtenAt: () => START_BLOCK,
  };
}

export function serve(entities: string, tables: Readonly<Record<string, readonly Row[]>>): ServedIndexer {
  const model = parseEntities(entities, "test");
  const moment: Moment = {
    store: createArrayStore(tables),
    chains: [
      {
        chainId: 1,
        startBlock: START_BLOCK,
        earliestBlock: START_BLOCK,
        head: { number: HEAD_BLOCK, hash: HEAD_HASH, parentHash: PARENT_HASH, timestamp: 1_700_000_000 },
        chainHead: HEAD_BLOCK,
        errorBlock: null,
      },
    ],
  };
  return {
    model,
    schema: deriveSubgraph(model, { release: "0.44" }),
    release: "0.44",
    settings: {},
    now: () => moment,
    history: null,
    deploymentHash: DEPLOYMENT,
  };
}

export type Answer = {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string; readonly locations?: unknown }[];
};

export type Ask = (query: string, variables?: Readonly<Record<string, unknown>>) => Answer;

export function asker(entities: string, tables: Readonly<Record<string, readonly Row[]>>): Ask {
  const execute = createSubgraphExecutor(serve(entities, tables));
  return (query, variables) => execute({ query, variables: variables ?? null, operationName: null });
}

/** The messages of a refused query; fails the test's comparison when there was an answer instead. */
export function messagesOf(answer: Answer): readonly string[] {
  return "data" in answer ? ["(there was data)"] : (answer.errors ?? []).map((error) => error.message);
}

/** The ids a root collection gives for these arguments. */
export function idsFor(ask: Ask, field: string, args = ""): readonly unknown[] {
  const answer = ask(`{ ${field}${args === "" ? "" : `(${args})`} { id } }`);
  const rows = answer.data?.[field];
  if (!Array.isArray(rows)) throw new Error(`no rows: ${JSON.stringify(answer)}`);
  return rows.map((row) => row.id);
}

/** Bands and what belongs to them: every kind of field the dialect has. */
export const BANDS = `
  enum Genre { ROCK JAZZ FOLK }
  interface Act { id: ID!  name: String!  home: City }
  type City @entity { id: Bytes!  name: String!  bands: [Band!]! @derivedFrom(field: "home") }
  type Band implements Act @entity {
    id: ID!
    name: String!
    home: City
    genre: Genre!
    genres: [Genre!]!
    tags: [String!]
    codes: [Bytes!]
    founded: Int
    active: Boolean
    fans: BigInt!
    rating: BigDecimal
    plays: Int8
    updated: Timestamp
    hash: Bytes
    nick: String
    label: Label!
    members: [Musician!]!
    songs: [Song!]! @derivedFrom(field: "band")
    manager: Manager @derivedFrom(field: "band")
  }
  type Solo implements Act @entity { id: ID!  name: String!  home: City }
  type Label @entity { id: Int8!  name: String!  kind: Genre!  bands: [Band!]! @derivedFrom(field: "label") }
  type Manager @entity { id: ID!  band: Band! }
  type Musician @entity {
    id: ID!
    name: String!
    bands: [Band!]! @derivedFrom(field: "members")
    favourite: Act
  }
  type Song @entity(immutable: true) { id: ID!  title: String!  band: Band!  length: BigInt! }
`;

const band = (row: Row): Row => ({
  home: null,
  genre: "ROCK",
  genres: [],
  tags: null,
  codes: null,
  founded: null,
  active: null,
  fans: "0",
  rating: null,
  plays: null,
  updated: null,
  hash: null,
  nick: null,
  label: "1",
  members: [],
  ...row,
});

export const BAND_ROWS: Readonly<Record<string, readonly Row[]>> = {
  City: [
    { id: "0x0b", name: "Oslo" },
    { id: "0x0a", name: "Rome" },
  ],
  Band: [
    band({
      id: "b2",
      name: "Beta",
      home: "0x0b",
      genre: "JAZZ",
      genres: ["JAZZ", "ROCK"],
      tags: ["Loud", "new"],
      codes: ["0xab", "0xcd"],
      founded: 1990,
      active: true,
      fans: "100000000000000000000",
      rating: "1.50",
      plays: "9007199254740993",
      updated: "1700000000000001",
      hash: "0xabcd12",
      nick: "The 100% band",
      members: ["m2", "m1", "m1", "gone"],
    }),
    band({
      id: "b1",
      name: "alpha",
      home: "0x0a",
      genres: ["ROCK"],
      tags: ["loud"],
      codes: ["0xab"],
      founded: 2000,
      active: false,
      fans: "9",
      rating: "10",
      plays: "9007199254740992",
      updated: "1700000000000000",
      hash: "0x12abcd",
      nick: "alpha_x",
      label: "10",
      members: ["m1"],
    }),
    band({ id: "b3", name: "Gamma", genre: "FOLK", tags: [], fans: "10", rating: "0.00000001", label: "2" }),
    band({ id: "B4", name: "delta", fans: "-5", nick: "ALPHA", founded: 1990, active: true, home: "0x0a" }),
  ],
  Solo: [
    { id: "s1", name: "Ari", home: "0x0b" },
    { id: "a0", name: "Zoe", home: null },
  ],
  Label: [
    { id: "10", name: "Ten", kind: "ROCK" },
    { id: "2", name: "Two", kind: "JAZZ" },
    { id: "1", name: "One", kind: "FOLK" },
  ],
  Manager: [
    { id: "g1", band: "b1" },
    { id: "g2", band: "b2" },
    { id: "g3", band: "b2" },
  ],
  Musician: [
    { id: "m1", name: "Mia", favourite: "s1" },
    { id: "m2", name: "Max", favourite: "b1" },
  ],
  Song: [
    { id: "t3", title: "Three", band: "b1", length: "30" },
    { id: "t1", title: "One", band: "b1", length: "200" },
    { id: "t2", title: "Two", band: "b2", length: "30" },
  ],
};

/** Asks the bands. */
export function bands(): Ask {
  return asker(BANDS, BAND_ROWS);
}
