import { sqlName } from "../../../src/dialects/subgraph/rules/table-rules.ts";
import { copyText, type NodeValue } from "./column-text.ts";
import type { PostgresClient } from "./start-postgres.ts";

/** The versions of all rows of an entity. */
export type NodeTable = {
  /** The entity's name. */
  readonly entity: string;
  /** The interval of an aggregation: `hour`. Each interval has its own table. */
  readonly interval?: string | undefined;
  readonly versions: Iterable<NodeVersion>;
};

/** A version of a row over a range of blocks. */
export type NodeVersion = {
  /** The value of every field that is not derived. */
  readonly row: Readonly<Record<string, NodeValue>>;
  /** The first block of the version. */
  readonly from: number;
  /** The block at which it was replaced or deleted; null for the current version. */
  readonly to: number | null;
};

/** A column of a table and its type. */
type Column = { readonly name: string; readonly type: string };

/** Writes rows into the tables of a deployment. `schema` is that of the node's tables: `sgd1`. */
export async function writeTables(
  client: PostgresClient,
  schema: string,
  tables: Iterable<NodeTable>,
): Promise<void> {
  const columns = await readColumns(client, schema);
  for (const { entity, interval, versions } of tables) {
    const table = sqlName(interval === undefined ? entity : `${entity}_${interval}`);
    const known = columns.get(table);
    if (known === undefined) throw new Error(`graph-node made no table of ${entity}.`);
    await writeVersions(client, { name: `"${schema}"."${table}"`, columns: known }, versions);
  }
}

async function readColumns(client: PostgresClient, schema: string): Promise<Map<string, Column[]>> {
  const rows = await client.query(
    "SELECT table_name, column_name, udt_name FROM information_schema.columns WHERE table_schema = $1 ORDER BY ordinal_position",
    [schema],
  );
  const tables = new Map<string, Column[]>();
  for (const row of rows) {
    const table = row["table_name"] ?? "";
    const columns = tables.get(table) ?? [];
    columns.push({ name: row["column_name"] ?? "", type: row["udt_name"] ?? "" });
    tables.set(table, columns);
  }
  return tables;
}

async function writeVersions(
  client: PostgresClient,
  { name: table, columns }: { readonly name: string; readonly columns: readonly Column[] },
  versions: Iterable<NodeVersion>,
): Promise<void> {
  // Search columns are computed from the others.
  const stored = columns.filter(({ type }) => type !== "tsvector");
  const line = (version: NodeVersion, vid: number) => {
    const values = new Map(Object.entries(version.row).map(([field, value]) => [sqlName(field), value]));
    return stored.map(({ name, type }) => {
      if (name === "vid") return `${vid}`;
      if (name === "block$") return `${version.from}`;
      if (name === "block_range") return `[${version.from},${version.to ?? ""})`;
      if (name === "causality_region") return "0";
      return copyText(values.get(name), type);
    });
  };
  const names = stored.map(({ name }) => `"${name}"`).join(", ");
  let vid = 0;
  function* lines() {
    for (const version of versions) {
      vid += 1;
      yield `${line(version, vid).join("\t")}\n`;
    }
  }
  await client.copy(`COPY ${table} (${names}) FROM STDIN`, lines());
}
