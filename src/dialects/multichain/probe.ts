import { type ApiSchema, fieldsOf, listFields, scalarFields } from "../api-schema.ts";
import {
  type ChainField,
  memberOf,
  type ProbeReading,
  type Prober,
  type Question,
  type TextOrder,
  type TextOrderQuestion,
} from "../prober.ts";

export const multichainProber: Prober = { buildProbe, buildTextOrderProbe };

/** Builds the query for the rows that name the chains of a deployment, and its progress by chain. */
function buildProbe(schema: ApiSchema, chain: ChainField | null): Question {
  const fields = chainFields(schema, chain);
  const parts = [
    ...(chain && fields ? [`${chain.entity}(limit: ${LIMIT}) { ${fields.join(" ")} }`] : []),
    ...progressQuery(schema),
  ];
  return {
    query: `{ ${parts.length > 0 ? parts.join(" ") : "__typename"} }`,
    parse: (data) => {
      const progress = progressOf(data);
      return {
        chainIds:
          chain && fields && memberOf(data, chain.entity) !== undefined
            ? chainsOf(data, chain)
            : (progress?.map(({ chainId }) => chainId) ?? null),
        heads: (progress ?? []).flatMap(({ chainId, block }) => (block === null ? [] : [{ chainId, block }])),
        // The platform stops at an error and does not report it.
        hasIndexingErrors: false,
        deployment: null,
      };
    },
  };
}

/** The page size, which is larger than the number of chains. */
const LIMIT = 1000;

/** The tables with the progress, those of newer releases first. */
const PROGRESS = [
  { root: "_meta", chain: "chainId", block: "progressBlock" },
  { root: "chain_metadata", chain: "chain_id", block: "latest_processed_block" },
] as const;

type Progress = { readonly chainId: number; readonly block: number | null };

/** Returns the fields to select from the rows that name chains; null without such a table, or if it is the platform's. */
function chainFields(schema: ApiSchema, chain: ChainField | null): readonly string[] | null {
  if (chain === null || PROGRESS.some(({ root }) => root === chain.entity)) return null;
  const scalars = scalarFields(schema, chain.entity);
  const isListed = listFields(schema, chain.entity, "limit").some(({ name }) => name === chain.entity);
  if (!isListed || !scalars.has(chain.field)) return null;
  return [...new Set(["id", chain.field])].filter((name) => scalars.has(name));
}

function progressQuery(schema: ApiSchema): string[] {
  const progress = PROGRESS.find(
    ({ root, chain, block }) =>
      hasFields(schema, schema.queryType, [root]) && hasFields(schema, root, [chain, block]),
  );
  if (progress === undefined) return [];
  const { root, chain, block } = progress;
  return [`${root}(order_by: {${chain}: asc}) { ${chain} ${block} }`];
}

function hasFields(schema: ApiSchema, typeName: string, names: readonly string[]): boolean {
  const fields = fieldsOf(schema, typeName);
  return names.every((name) => fields.some((field) => field.name === name));
}

/** Reads the chains that rows name; null if one of them cannot be read. */
function chainsOf(data: unknown, { entity, field }: ChainField): ProbeReading["chainIds"] {
  const chainIds = rowsOf(data, entity)?.map((row) => wholeNumber(memberOf(row, field)));
  return chainIds?.every((chainId) => chainId !== null) ? chainIds : null;
}

/** Reads the progress from the platform's table; null if the answer does not have it. */
function progressOf(data: unknown): readonly Progress[] | null {
  for (const { root, chain, block } of PROGRESS) {
    const rows = rowsOf(data, root);
    if (rows === null) continue;
    return rows.flatMap((row) => {
      const chainId = wholeNumber(memberOf(row, chain));
      return chainId === null ? [] : [{ chainId, block: wholeNumber(memberOf(row, block)) }];
    });
  }
  return null;
}

function rowsOf(data: unknown, key: string): readonly unknown[] | null {
  const rows = memberOf(data, key);
  return Array.isArray(rows) ? rows : null;
}

/** Reads an integer from a number or decimal text; null for anything else. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

/** Builds the query for the first and last rows by a few text columns. Their order shows the collation of the database. */
function buildTextOrderProbe(schema: ApiSchema): TextOrderQuestion | null {
  const columns = textColumns(schema);
  if (columns.length === 0) return null;
  const parts = columns.flatMap(({ table, column }, index) =>
    ["asc_nulls_last", "desc_nulls_last"].map(
      (direction) =>
        `t${index}_${direction}: ${table}(limit: ${ROWS}, order_by: [{${column}: ${direction}}]) { text: ${column} }`,
    ),
  );
  return {
    query: `{ ${parts.join(" ")} }`,
    parse: (data) =>
      findTextOrder(
        columns.flatMap((_, index) => {
          const least = textsOf(data, `t${index}_asc_nulls_last`);
          const greatest = textsOf(data, `t${index}_desc_nulls_last`).reverse();
          const ends = [least[0], greatest.at(-1)].filter((text) => text !== undefined);
          return [least, greatest, ends];
        }),
      ),
  };
}

/** The number of rows, enough to have both upper and lower case. */
const ROWS = 100;

/** The number of columns. The database sorts a table for each of them. */
const COLUMNS = 3;

type TextColumn = { readonly table: string; readonly column: string };

/** Returns columns that probably have names in upper and lower case, in small tables. */
function textColumns(schema: ApiSchema): readonly TextColumn[] {
  const tables = fieldsOf(schema, schema.queryType)
    .map(({ name }) => name)
    .filter((name) => listFields(schema, name, "limit").some((field) => field.name === name));
  return ["symbol", "name", "id"]
    .flatMap((column) =>
      tables
        .filter((table) =>
          fieldsOf(schema, table).some(({ name, type }) => name === column && /^String!?$/.test(type)),
        )
        .map((table) => ({ table, column })),
    )
    .slice(0, COLUMNS);
}

/** Reads texts of letters and digits only, because languages order other characters differently. */
function textsOf(data: unknown, key: string): string[] {
  return (rowsOf(data, key) ?? [])
    .map((row) => memberOf(row, "text"))
    .filter((text): text is string => typeof text === "string" && /^[A-Za-z0-9]+$/.test(text));
}

/** Finds the only rule that puts all neighbours in order. */
function findTextOrder(lists: readonly (readonly string[])[]): TextOrder {
  let [bytes, language] = [false, false];
  for (const list of lists) {
    for (const [index, text] of list.slice(1).entries()) {
      const before = list[index] ?? "";
      const inBytes = before <= text;
      const inLanguage = before.toLowerCase() <= text.toLowerCase();
      if (inBytes && !inLanguage) bytes = true;
      if (inLanguage && !inBytes) language = true;
    }
  }
  return bytes === language ? "unknown" : bytes ? "bytes" : "language";
}
