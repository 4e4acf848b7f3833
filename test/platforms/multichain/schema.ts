/** The types of columns that Envio creates in PostgreSQL. */
export type Type =
  | "text"
  | "integer"
  | "boolean"
  | "numeric"
  | "numeric(20, 3)"
  | "double precision"
  | "timestamptz"
  | "jsonb"
  | "mood";

/** A column, with its GraphQL type and its field of the entity schema. */
export type Column = {
  readonly name: string;
  /** The field of the entity, under which rows hold the value: `hub` of a column `hub_id`. */
  readonly field: string;
  readonly type: Type;
  readonly list: boolean;
  readonly required: boolean;
  readonly sdl: string;
  /** The scalar of the API. */
  readonly scalar: string;
};

/** The related table, and the columns that are equal. */
export type Relation = {
  readonly name: string;
  readonly target: string;
  readonly many: boolean;
  readonly own: string;
  readonly theirs: string;
};

export type Table = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly relations: readonly Relation[];
};

/** The members in the order of their declaration, which is not alphabetical. */
export const MOODS = ["WILD", "CALM", "BRISK"] as const;

const SCALARS: Readonly<Record<Type, string>> = {
  text: "String",
  integer: "Int",
  boolean: "Boolean",
  numeric: "numeric",
  "numeric(20, 3)": "numeric",
  "double precision": "float8",
  timestamptz: "timestamptz",
  jsonb: "jsonb",
  mood: "mood",
};

function column(name: string, sdl: string, type: Type): Column {
  return {
    name,
    field: name.replace(/_id$/, ""),
    type,
    list: sdl.startsWith("["),
    required: /!(?: @.*)?$/.test(sdl),
    sdl,
    scalar: SCALARS[type],
  };
}

/** Every kind of column, nullable and not, and relationships in both directions. */
export const TABLES: readonly Table[] = [
  {
    name: "Hub",
    columns: [
      column("id", "ID!", "text"),
      column("name", "String", "text"),
      column("rank", "Int!", "integer"),
      column("share", "Float", "double precision"),
    ],
    relations: [
      { name: "things", target: "Thing", many: true, own: "id", theirs: "hub_id" },
      { name: "guests", target: "Thing", many: true, own: "id", theirs: "guest_id" },
    ],
  },
  {
    name: "Thing",
    columns: [
      column("id", "ID!", "text"),
      column("hub_id", "Hub!", "text"),
      column("guest_id", "Hub", "text"),
      column("tally_id", "Tally", "integer"),
      column("code", "String!", "text"),
      column("words", "String", "text"),
      column("count", "Int", "integer"),
      column("big", "BigInt", "numeric"),
      column("price", "BigDecimal", "numeric"),
      column("cents", "BigDecimal @config(precision: 20, scale: 3)", "numeric(20, 3)"),
      column("ratio", "Float", "double precision"),
      column("level", "Float!", "double precision"),
      column("open", "Boolean!", "boolean"),
      column("paid", "Boolean", "boolean"),
      column("mood", "Mood", "mood"),
      column("at", "Timestamp", "timestamptz"),
      column("data", "Json", "jsonb"),
      column("tags", "[String!]", "text"),
      column("sizes", "[Int!]!", "integer"),
      column("rates", "[Float!]", "double precision"),
      column("sums", "[BigInt!] @config(precision: 78)", "numeric"),
      column("texts", "[BigInt!]", "text"),
    ],
    relations: [
      { name: "hub", target: "Hub", many: false, own: "hub_id", theirs: "id" },
      { name: "guest", target: "Hub", many: false, own: "guest_id", theirs: "id" },
      { name: "tally", target: "Tally", many: false, own: "tally_id", theirs: "id" },
    ],
  },
  {
    name: "Tally",
    columns: [column("id", "Int!", "integer"), column("total", "BigInt!", "numeric")],
    relations: [{ name: "things", target: "Thing", many: true, own: "id", theirs: "tally_id" }],
  },
];

/** The entity schema of the tables. */
export const ENTITIES = [
  `enum Mood { ${MOODS.join(" ")} }`,
  ...TABLES.map(({ name, columns, relations }) => {
    const stored = columns.map(({ field, sdl }) => `  ${field}: ${sdl}`);
    const derived = relations
      .filter(({ many }) => many)
      .map(
        ({ name: field, target, theirs }) =>
          `  ${field}: [${target}!]! @derivedFrom(field: "${theirs.replace(/_id$/, "")}")`,
      );
    return `type ${name} {\n${[...stored, ...derived].join("\n")}\n}`;
  }),
].join("\n");

export function tableOf(name: string): Table {
  const found = TABLES.find((table) => table.name === name);
  if (found === undefined) throw new Error(`There is no table ${name}.`);
  return found;
}

export function columnOf(table: string, name: string): Column {
  const found = tableOf(table).columns.find((column) => column.name === name);
  if (found === undefined) throw new Error(`There is no column ${table}.${name}.`);
  return found;
}
