import { type ApiSchema, fieldsOf, listFields, scalarFields } from "../api-schema.ts";
import { type ChainField, memberOf, type ProbeReading, type Prober, type Question } from "../prober.ts";

export const subgraphProber: Prober = {
  buildProbe,
  // graph-node requires a database whose collation is `C`, which orders text by bytes.
  buildTextOrderProbe: null,
};

/** Builds the query for a subgraph's progress and the row that names its chain. It selects two rows, to detect a second one. */
function buildProbe(schema: ApiSchema, chain: ChainField | null): Question {
  const names = fieldsOf(schema, "_Block_").map(({ name }) => name);
  const block = names.includes("timestamp") ? "number timestamp" : "number";
  const meta = `_meta { block { ${block} } deployment hasIndexingErrors }`;
  const rows = chain && chainRows(schema, chain);
  return {
    query: rows ? `{ ${meta} ${rows.name}(first: 2) { ${rows.fields.join(" ")} } }` : `{ ${meta} }`,
    parse: (data) => parseProbe(data, rows && memberOf(data, rows.name), chain?.field ?? ""),
  };
}

/** The content hash of deployed code. */
const HASH = /^[A-Za-z0-9]{1,100}$/;

/** Finds the root field that lists the rows that name a chain, by its type, because plurals cannot be guessed. */
function chainRows(
  schema: ApiSchema,
  { entity, field }: ChainField,
): { readonly name: string; readonly fields: readonly string[] } | null {
  const scalars = scalarFields(schema, entity);
  const name = listFields(schema, entity, "first").find((list) => list.name !== "_meta")?.name;
  if (name === undefined || !scalars.has(field)) return null;
  return { name, fields: [...new Set(["id", field])].filter((name) => scalars.has(name)) };
}

function parseProbe(data: unknown, rows: unknown, field: string): ProbeReading {
  const meta = memberOf(data, "_meta");
  const newest = memberOf(meta, "block");
  const block = memberOf(newest, "number");
  const timestamp = memberOf(newest, "timestamp");
  const deployment = memberOf(meta, "deployment");
  return {
    chainIds: parseChainIds(rows, field),
    heads: isCount(block) ? [{ chainId: null, block, ...(isTime(timestamp) ? { timestamp } : {}) }] : [],
    hasIndexingErrors: memberOf(meta, "hasIndexingErrors") === true,
    deployment: typeof deployment === "string" && HASH.test(deployment) ? deployment : null,
  };
}

/** Parses the chain ids of rows. If one row cannot be read, the result is unknown (null), not a shorter list. */
function parseChainIds(rows: unknown, field: string): readonly number[] | null {
  if (!Array.isArray(rows) || rows.length === 0) return null;
  const ids = rows.map((row) => parseChainId(memberOf(row, field)));
  return ids.every((id) => id !== null) ? [...new Set(ids)] : null;
}

/** Parses a chain id: a decimal string, or a number if the authors declared an `Int`. */
function parseChainId(value: unknown): number | null {
  const id = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value;
  return isCount(id) && id > 0 ? id : null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Returns whether a value is a valid date in Unix seconds. */
function isTime(value: unknown): value is number {
  return isCount(value) && value > 0 && value < 8_640_000_000_000;
}
