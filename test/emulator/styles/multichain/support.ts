import { createMultichainExecutor } from "../../../../emulator/styles/multichain/execute.ts";
import type { ChainState, ReadView, Row, RowStore, RowValue } from "../../../../emulator/styles/read-view.ts";
import type { ApiSchema } from "../../../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../../../src/dialects/entity-model.ts";
import { deriveMultichain } from "../../../../src/dialects/multichain/derive.ts";
import type { Release } from "../../../../src/dialects/multichain/release.ts";
import { parseEntities } from "../../../../src/dialects/parse-entities.ts";
import type { BytesType } from "../../../../src/dialects/protocol.ts";
import { createRowStore } from "../../../support/create-row-store.ts";

/** A small schema with a column of every kind; its rows have nulls, a dangling reference and unusual sort orders. */
export const SDL = `
enum State { NEW SENT BACK }
type Depot {
  id: ID!
  name: String!
  parcels: [Parcel!]! @derivedFrom(field: "depot")
  returns: [Parcel!]! @derivedFrom(field: "returnedTo")
}
type Parcel {
  id: ID!
  count: Int
  depot: Depot!
  fragile: Boolean!
  insured: Boolean
  meta: Json
  price: BigDecimal
  ratio: Float
  returnedTo: Depot
  sent: Timestamp
  sizes: [Int!]!
  state: State!
  tags: [String!]!
  title: String
  weight: BigInt
  weights: [BigInt!]! @config(precision: 78)
}
type Watcher { id: ID! chainId: BigInt! }
`;

export const ROWS: Readonly<Record<string, readonly Row[]>> = {
  Depot: [
    { id: "d1", name: "Harbour" },
    { id: "d2", name: "airfield" },
    { id: "d3", name: "Annex" },
  ],
  Parcel: [
    parcel("p1", {
      count: 3,
      depot: "d1",
      price: "1.10",
      ratio: 1.5,
      sent: "1705322096000000",
      sizes: [1, 2],
      state: "SENT",
      tags: ["a", "b"],
      title: "alpha 50%",
      weight: "100",
      weights: ["100", "7"],
      meta: '{"aa": 1, "a": {"b": [10, 20]}, "k": "v"}',
      insured: true,
    }),
    parcel("p2", {
      count: 1,
      depot: "d1",
      fragile: true,
      insured: false,
      price: "10.5",
      ratio: 1e300,
      returnedTo: "d2",
      sent: "1705322096123456",
      state: "NEW",
      tags: ["b"],
      title: "Beta_2",
      weight: "99",
      meta: '["x", "y"]',
    }),
    parcel("p3", {
      depot: "d2",
      state: "BACK",
      returnedTo: "d2",
      tags: ["a", "b", "c"],
    }),
    parcel("p4", {
      count: 2,
      depot: "nowhere",
      fragile: true,
      insured: true,
      price: "2",
      ratio: -0.00001,
      sent: "1705322096100000",
      state: "SENT",
      title: "alphabet",
      weight: "123456789012345678901234567890",
      meta: '"text"',
    }),
  ],
  Watcher: [
    { id: "1", chainId: "1" },
    { id: "10", chainId: "10" },
  ],
};

function parcel(id: string, given: Record<string, RowValue>): Row {
  return {
    id,
    count: null,
    fragile: false,
    insured: null,
    meta: null,
    price: null,
    ratio: null,
    returnedTo: null,
    sent: null,
    sizes: [],
    tags: [],
    title: null,
    weight: null,
    weights: [],
    ...given,
  };
}

export const CHAINS: readonly ChainState[] = [chain(1, 100, 250), chain(10, 5, 16_777_301)];

function chain(chainId: number, startBlock: number, head: number): ChainState {
  return {
    chainId,
    startBlock,
    earliestBlock: startBlock,
    chainHead: head,
    errorBlock: null,
    head: { number: head, hash: "0x01", parentHash: "0x00", timestamp: 1_705_322_096 },
  };
}

export type ServeOptions = {
  readonly bytesType?: BytesType;
  readonly rows?: Readonly<Record<string, readonly Row[]>>;
  readonly sdl?: string;
  readonly aggregates?: readonly string[];
  readonly release?: Release;
  /** The operator's setting: a number, null for no limit; undefined for the hosted limit. */
  readonly rowCap?: number | null;
  /** The view of each request; by default the same for all. */
  readonly now?: () => ReadView;
  /** Called for every read, with a text such as `find Depot`. */
  readonly trace?: (read: string) => void;
};

export type Answer = {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly path: string; readonly code: string };
  }[];
};

/** Runs requests over rows; answers are serialized to JSON and parsed again. */
export function serve(
  options: ServeOptions = {},
): (query: string, variables?: Record<string, unknown> | null, operationName?: string | null) => Answer {
  const { model, schema } = derived(options);
  const view: ReadView = { store: createStore(options.rows ?? ROWS, options.trace), chains: CHAINS };
  const execute = createMultichainExecutor({
    model,
    schema,
    release: options.release ?? "3.0",
    settings: { rowCap: options.rowCap },
    now: options.now ?? (() => view),
    history: null,
    deploymentHash: "",
  });
  return (query, variables = null, operationName = null) =>
    JSON.parse(JSON.stringify(execute({ query, variables, operationName }))) as Answer;
}

/** Serves copies of the first parcel, each with one of the values in a column. */
export function serveParcels(column: string, values: readonly RowValue[]): ReturnType<typeof serve> {
  const Parcel = values.map((value, index) => ({ ...ROWS["Parcel"]?.[0], id: `x${index}`, [column]: value }));
  return serve({ rows: { ...ROWS, Parcel } });
}

/** Returns the served schema and the model from which it is derived. */
export function derived(options: ServeOptions = {}): {
  readonly model: EntityModel;
  readonly schema: ApiSchema;
} {
  const model = parseEntities(options.sdl ?? SDL, "test.graphql");
  const schema = deriveMultichain(model, {
    aggregates: options.aggregates ?? ["Parcel"],
    release: options.release ?? "3.0",
    bytesType: options.bytesType,
  });
  return { model, schema };
}

/** Returns the only error of an answer, as `[message, path, code]`. */
export function failure(answer: Answer): readonly [string, string, string] {
  if (answer.data !== undefined || answer.errors?.length !== 1) {
    throw new Error(`Not a failure: ${JSON.stringify(answer)}`);
  }
  const [error] = answer.errors;
  return [error?.message ?? "", error?.extensions.path ?? "", error?.extensions.code ?? ""];
}

/**
 * Returns a query without its mark `¦`, and the path that the platform reports for what follows the mark. In
 * `¦.args.id¦` the path of what is absent is added to the place.
 */
export function readMark(marked: string): { readonly query: string; readonly path: string } {
  const [before = "", middle = "", after] = marked.split("¦");
  const absent = after === undefined ? "" : middle;
  const name = after === undefined ? /^\w*:?/.exec(middle)?.[0] : "";
  const places: { readonly open: string; key: string | number }[] = [];
  for (const token of `${before}${name}`.match(/"(?:\\.|[^"\\])*"|\w+:?|[()[\]{},]/g) ?? []) {
    const place = places.at(-1);
    const isSelection = place?.open === ".selectionSet";
    if (token === "{") places.push({ open: place && !isSelection ? "" : ".selectionSet", key: "" });
    else if (token === "(") places.push({ open: ".args", key: "" });
    else if (token === "[") places.push({ open: "[", key: 0 });
    else if (")]}".includes(token)) places.pop();
    else if (place === undefined) continue;
    else if (typeof place.key === "number") place.key += token === "," ? 1 : 0;
    else if (isSelection || token.endsWith(":")) place.key = `.${token.replace(":", "")}`;
  }
  const path = places.map(({ open, key }) => (open === "[" ? `[${key}]` : `${open}${key}`)).join("");
  return { query: `${before}${after ?? middle}`, path: `$${path}${absent}` };
}

/** Returns the ids of the rows in the only root field of an answer. */
export function ids(answer: Answer): string {
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  const [rows] = Object.values(answer.data as Record<string, readonly { readonly id: string }[]>);
  return (rows ?? []).map((row) => row.id).join(" ");
}

export function createStore(
  tables: Readonly<Record<string, readonly Row[]>>,
  trace: (read: string) => void = () => {},
): RowStore {
  const store = createRowStore(() => new Map(Object.entries(tables)), 0);
  return {
    ...store,
    rows: (entity) => {
      trace(`rows ${entity}`);
      return store.rows(entity);
    },
    find: (entity, id) => {
      trace(`find ${entity}`);
      return store.find(entity, id);
    },
    matching: (entity, field, value) => {
      trace(`matching ${entity}.${field}`);
      return store.matching(entity, field, value);
    },
  };
}
