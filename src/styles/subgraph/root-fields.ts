import type { ApiField, ApiInputValue } from "../../schema/api-schema.ts";
import type { EntityModel, FulltextDefinition } from "../../schema/entity-model.ts";
import { collectionArguments } from "./collection-arguments.ts";
import { defineField, defineInput } from "./define.ts";
import type { Derivation } from "./derivation.ts";
import type { RowType } from "./entity-types.ts";
import { rootFieldNames } from "./names.ts";
import { createRootOrder } from "./root-order.ts";

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
  const order = createRootOrder(model);
  const ordered = <T extends RowType>(group: readonly T[]): readonly T[] =>
    features.internedOrder ? group.toSorted(order) : group;
  return {
    rows: [
      ...[...ordered(types.entities), ...ordered(types.interfaces)].flatMap((type) =>
        rowFields(type, derivation),
      ),
      ...ordered(types.aggregations).map((type) => aggregationField(type, derivation)),
    ],
    searches: model.definitions
      .filter((definition) => definition.kind === "fulltext")
      .map((fulltext) => searchField(fulltext)),
    platform: features.logs ? [META_FIELD, LOGS_FIELD] : [META_FIELD],
  };
}

function rowFields(type: RowType, derivation: Derivation): ApiField[] {
  const { singular, plural } = rootFieldNames(type.name, derivation.features);
  return [
    // `ID!` whatever the type of the id.
    defineField(singular, type.name, null, [defineInput("id", "ID!"), BLOCK, SUBGRAPH_ERROR]),
    defineField(plural, `[${type.name}!]!`, null, [
      ...collectionArguments(type, derivation),
      BLOCK,
      SUBGRAPH_ERROR,
    ]),
  ];
}

function aggregationField(type: RowType, derivation: Derivation): ApiField {
  const { plural } = rootFieldNames(type.name, derivation.features);
  return defineField(plural, `[${type.name}!]!`, `Collection of aggregated \`${type.name}\` values`, [
    ...collectionArguments(type, derivation),
    BLOCK,
    SUBGRAPH_ERROR,
  ]);
}

/** Here `first` comes before `skip`, and nothing can be ordered: a search ranks by itself. */
function searchField({ name, entity }: FulltextDefinition): ApiField {
  return defineField(name, `[${entity}!]!`, null, [
    defineInput("text", "String!"),
    defineInput("first", "Int", { defaultValue: "100" }),
    defineInput("skip", "Int", { defaultValue: "0" }),
    BLOCK,
    defineInput("where", `${entity}_filter`),
    SUBGRAPH_ERROR,
  ]);
}

const BLOCK: ApiInputValue = defineInput("block", "Block_height", {
  description:
    "The block at which the query should be executed. Can either be a `{ hash: Bytes }` value containing a block hash, a `{ number: Int }` containing the block number, or a `{ number_gte: Int }` containing the minimum block number. In the case of `number_gte`, the query will be executed on the latest block only if the subgraph has progressed to or past the minimum block number. Defaults to the latest block when omitted.",
});

const SUBGRAPH_ERROR: ApiInputValue = defineInput("subgraphError", "_SubgraphErrorPolicy_!", {
  defaultValue: "deny",
  description: "Set to `allow` to receive data even if the subgraph has skipped over errors while syncing.",
});

const META_FIELD: ApiField = defineField("_meta", "_Meta_", "Access to subgraph metadata", [
  defineInput("block", "Block_height"),
]);

const LOGS_FIELD: ApiField = defineField(
  "_logs",
  "[_Log_!]!",
  "Query execution logs emitted by the subgraph during indexing. Results are sorted by timestamp in descending order (newest first).",
  [
    defineInput("level", "LogLevel", {
      description: "Filter logs by severity level. Only logs at this level will be returned.",
    }),
    defineInput("from", "String", {
      description:
        "Filter logs from this timestamp onwards (inclusive). Must be in RFC3339 format (e.g., '2024-01-15T10:30:00Z').",
    }),
    defineInput("to", "String", {
      description:
        "Filter logs until this timestamp (inclusive). Must be in RFC3339 format (e.g., '2024-01-15T23:59:59Z').",
    }),
    defineInput("search", "String", {
      description:
        "Search for logs containing this text in the message. Case-insensitive substring match. Maximum length: 1000 characters.",
    }),
    defineInput("first", "Int", {
      defaultValue: "100",
      description: "Maximum number of logs to return. Default: 100, Maximum: 1000.",
    }),
    defineInput("skip", "Int", {
      defaultValue: "0",
      description: "Number of logs to skip (for pagination). Default: 0, Maximum: 10000.",
    }),
    defineInput("orderDirection", "OrderDirection", {
      defaultValue: "desc",
      description: "Sort direction for results. Default: desc (newest first).",
    }),
  ],
);
