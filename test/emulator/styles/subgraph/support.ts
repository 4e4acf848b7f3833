import { createVersionedStore, type Write } from "../../../../emulator/dataset/rows/create-store-versions.ts";
import type { Block, ChainState, History, ReadView, Row } from "../../../../emulator/styles/read-view.ts";
import type { ExecutorOptions, OperatorSettings } from "../../../../emulator/styles/served-style.ts";
import { createSubgraphExecutor } from "../../../../emulator/styles/subgraph/execute.ts";
import { parseEntities } from "../../../../src/dialects/parse-entities.ts";
import { deriveSubgraph } from "../../../../src/dialects/subgraph/derive.ts";
import type { GraphNodeRelease } from "../../../../src/dialects/subgraph/release.ts";

export const HEAD_HASH = `0x${"ab".repeat(32)}`;
export const PARENT_HASH = `0x${"cd".repeat(32)}`;
export const DEPLOYMENT = "QmTest";
export const START_BLOCK = 5;
export const HEAD_BLOCK = 10;
export const HEAD_TIME = 1_700_000_000;

export type TableRows = Readonly<Record<string, readonly Row[]>>;

/** Returns a block of the test chain; its hash is its number, except for the head and its parent. */
export function blockAt(number: number): Block {
  const hashOf = (each: number) => {
    if (each === HEAD_BLOCK) return HEAD_HASH;
    return each === HEAD_BLOCK - 1 ? PARENT_HASH : `0x${each.toString(16).padStart(64, "0")}`;
  };
  return {
    number,
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: HEAD_TIME - (HEAD_BLOCK - number) * 12,
  };
}

export type ServeOptions = {
  readonly release?: GraphNodeRelease;
  readonly settings?: OperatorSettings;
  readonly errorBlock?: number | null;
  readonly earliestBlock?: number;
  /** The writes after the first block, in order of block. */
  readonly writes?: readonly Write[];
};

/** Serves the rows of the first block, and writes to them. */
export function serve(entities: string, rows: TableRows, options: ServeOptions = {}): ExecutorOptions {
  const { release = "0.44", settings = {}, errorBlock = null, earliestBlock = START_BLOCK } = options;
  const model = parseEntities(entities, "test");
  const stores = createVersionedStore(START_BLOCK, () => new Map(Object.entries(rows)), options.writes ?? []);
  const blocks = Array.from({ length: 20 }, (_, after) => blockAt(earliestBlock + after));
  const history: History = {
    blockAt,
    findBlock: (hash) => blocks.find((block) => block.hash === hash),
    storeAt: stores.at,
  };
  const chain: ChainState = {
    chainId: 1,
    startBlock: START_BLOCK,
    earliestBlock,
    head: blockAt(HEAD_BLOCK),
    chainHead: HEAD_BLOCK,
    errorBlock,
  };
  const view: ReadView = { store: history.storeAt(HEAD_BLOCK), chains: [chain] };
  return {
    model,
    schema: deriveSubgraph(model, { ...settings, release }),
    release,
    settings,
    now: () => view,
    history,
    deploymentHash: DEPLOYMENT,
  };
}

export type Answer = {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string; readonly locations?: unknown }[];
};

export type Ask = (query: string, variables?: Readonly<Record<string, unknown>>) => Answer;

export function asker(entities: string, rows: TableRows, options: ServeOptions = {}): Ask {
  return askerOf(serve(entities, rows, options));
}

/** Creates a function that queries one executor. */
export function askerOf(served: ExecutorOptions): Ask {
  const execute = createSubgraphExecutor(served);
  return (query, variables) => execute({ query, variables: variables ?? null, operationName: null });
}

/** Returns the messages of a refused query, or a text that fails the comparison if there is data. */
export function messagesOf(answer: Answer): readonly string[] {
  return "data" in answer ? ["(there was data)"] : (answer.errors ?? []).map((error) => error.message);
}

/** Returns a query without its marks `¦`, and the places of the marks. */
export function readMarks(marked: string): {
  readonly query: string;
  readonly locations: readonly { readonly line: number; readonly column: number }[];
} {
  const parts = marked.split("¦");
  const locations = parts.slice(1).map((_, index) => {
    const lines = parts
      .slice(0, index + 1)
      .join("")
      .split("\n");
    return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
  });
  return { query: parts.join(""), locations };
}

/** Returns the ids of a root collection for some arguments. */
export function idsFor(ask: Ask, field: string, args = ""): readonly unknown[] {
  const answer = ask(`{ ${field}${args === "" ? "" : `(${args})`} { id } }`);
  const rows = answer.data?.[field];
  if (!Array.isArray(rows)) throw new Error(`no rows: ${JSON.stringify(answer)}`);
  return rows.map((row) => row.id);
}

/** Bands and related entities, with every kind of field of the dialect. */
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

/** Creates a function that queries the bands. */
export function bands(options: ServeOptions = {}): Ask {
  return asker(BANDS, BAND_ROWS, options);
}
