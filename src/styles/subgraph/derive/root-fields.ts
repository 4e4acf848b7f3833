import type { ApiField, ApiInputValue } from "../../../schema/api-schema.ts";
import type { EntityModel, RowDefinition } from "../../../schema/entity-model.ts";
import { field, input } from "../../../schema/make-type.ts";
import type { Derivation } from "./entity-types.ts";
import { rootFieldNames } from "./names.ts";

/** The root fields of one model, in the groups they are listed in. */
export type RootFields = {
  /** Two per entity, then two per interface, then one per aggregation. */
  readonly rows: readonly ApiField[];
  readonly searches: readonly ApiField[];
  /** `_meta`, and `_logs` where there are logs. */
  readonly platform: readonly ApiField[];
};

/** Derives the fields of `Query` (A.8). */
export function rootFields(model: EntityModel, derivation: Derivation): RootFields {
  const { types, features } = derivation;
  const positions = features.internedOrder ? internNames(model) : new Map<string, number>();
  const ordered = (group: readonly RowDefinition[]) =>
    group.toSorted((a, b) => (positions.get(a.name) ?? 0) - (positions.get(b.name) ?? 0));
  const searches = model.definitions.filter((definition) => definition.kind === "fulltext");
  return {
    rows: [...ordered(types.entities), ...ordered(types.interfaces), ...ordered(types.aggregations)].flatMap(
      (type) => rowFields(type, derivation),
    ),
    // Here `first` comes before `skip`, and nothing can be ordered: a search ranks by itself.
    searches: searches.map(({ name, entity }) =>
      field(name, `[${entity}!]!`, null, [
        input("text", "String!"),
        input("first", "Int", null, "100"),
        input("skip", "Int", null, "0"),
        BLOCK,
        input("where", `${entity}_filter`),
        SUBGRAPH_ERROR,
      ]),
    ),
    platform: features.logs ? [META_FIELD, LOGS_FIELD] : [META_FIELD],
  };
}

/** When graph-node first met each name, as a type or an earlier field: the order of root fields (A.9). */
function internNames({ definitions }: EntityModel): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  const intern = (name: string) => {
    if (!positions.has(name)) positions.set(name, positions.size);
  };
  for (const name of ["id", "Poi$", "digest", "blockTime", "vid"]) intern(name);
  for (const definition of definitions) {
    if (definition.kind === "fulltext") continue;
    intern(definition.name);
    if (definition.kind === "aggregation") {
      for (const interval of definition.intervals) intern(`${definition.name}_${interval}`);
    }
    if (definition.kind !== "enum") for (const { name } of definition.fields) intern(name);
  }
  return positions;
}

function rowFields(type: RowDefinition, derivation: Derivation): ApiField[] {
  const { name, kind } = type;
  const { singular, plural } = rootFieldNames(name, derivation.features);
  const args = [...collectionArguments(type, derivation), BLOCK, SUBGRAPH_ERROR];
  if (kind === "aggregation") {
    return [field(plural, `[${name}!]!`, `Collection of aggregated \`${name}\` values`, args)];
  }
  return [
    // `ID!` whatever the type of the id.
    field(singular, name, null, [input("id", "ID!"), BLOCK, SUBGRAPH_ERROR]),
    field(plural, `[${name}!]!`, null, args),
  ];
}

/** The arguments of lists; `skip` and `first` are nullable in spite of their defaults (A.5). */
export function collectionArguments(
  { name, kind }: RowDefinition,
  { features }: Derivation,
): ApiInputValue[] {
  const order = [input("orderBy", `${name}_orderBy`), input("orderDirection", "OrderDirection")];
  const isAggregation = kind === "aggregation";
  return [
    input("skip", "Int", null, "0"),
    input("first", "Int", null, "100"),
    ...(isAggregation ? [input("interval", "Aggregation_interval!")] : []),
    ...(!isAggregation || features.orderedAggregations ? order : []),
    ...(isAggregation && features.currentBucket ? [input("current", "Aggregation_current")] : []),
    input("where", `${name}_filter`),
  ];
}

const BLOCK = input(
  "block",
  "Block_height",
  "The block at which the query should be executed. Can either be a `{ hash: Bytes }` value containing a block hash, a `{ number: Int }` containing the block number, or a `{ number_gte: Int }` containing the minimum block number. In the case of `number_gte`, the query will be executed on the latest block only if the subgraph has progressed to or past the minimum block number. Defaults to the latest block when omitted.",
);

const SUBGRAPH_ERROR = input(
  "subgraphError",
  "_SubgraphErrorPolicy_!",
  "Set to `allow` to receive data even if the subgraph has skipped over errors while syncing.",
  "deny",
);

const META_FIELD = field("_meta", "_Meta_", "Access to subgraph metadata", [input("block", "Block_height")]);

const LOGS_FIELD = field(
  "_logs",
  "[_Log_!]!",
  "Query execution logs emitted by the subgraph during indexing. Results are sorted by timestamp in descending order (newest first).",
  [
    input("level", "LogLevel", "Filter logs by severity level. Only logs at this level will be returned."),
    input(
      "from",
      "String",
      "Filter logs from this timestamp onwards (inclusive). Must be in RFC3339 format (e.g., '2024-01-15T10:30:00Z').",
    ),
    input(
      "to",
      "String",
      "Filter logs until this timestamp (inclusive). Must be in RFC3339 format (e.g., '2024-01-15T23:59:59Z').",
    ),
    input(
      "search",
      "String",
      "Search for logs containing this text in the message. Case-insensitive substring match. Maximum length: 1000 characters.",
    ),
    input("first", "Int", "Maximum number of logs to return. Default: 100, Maximum: 1000.", "100"),
    input("skip", "Int", "Number of logs to skip (for pagination). Default: 0, Maximum: 10000.", "0"),
    input(
      "orderDirection",
      "OrderDirection",
      "Sort direction for results. Default: desc (newest first).",
      "desc",
    ),
  ],
);
