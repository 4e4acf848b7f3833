import { compareCodeUnits, findNamed } from "../../base/collections.ts";
import { type ApiSchema, type ApiType, baseTypeName, fieldsOf, indexTypes, isList } from "../api-schema.ts";
import type { PlatformOrigin } from "../origin.ts";
import type { Capabilities, Recognized } from "../style.ts";
import { FEATURES } from "./features.ts";
import { type ReadableType, type RecognizedTypes, recognizeTypes } from "./read.ts";
import { GRAPH_NODE_RELEASES } from "./release.ts";

/** Recognizes the oldest possible release. Without the description of `Int`, 0.40.2 is recognized as 0.38. */
export function recognizeSubgraph(schema: ApiSchema): Recognized {
  const evidence = collectEvidence(schema);
  const release = FLOORS.find(([, shows]) => shows(evidence))?.[0];
  return {
    release: release === undefined ? null : `graph-node-${release}`,
    features: SHOWN.filter(([, shows]) => shows(evidence))
      .map(([origin]) => origin.feature)
      .sort(compareCodeUnits),
    options: {
      release: GRAPH_NODE_RELEASES.find((name) => name === release) ?? GRAPH_NODE_RELEASES[0],
      boolFilters: hasBoolFilters(evidence) || evidence.rows.length === 0,
      childSorting: hasNestedOrder(evidence) || nestedOrders(evidence).length === 0,
    },
  };
}

type Evidence = {
  readonly schema: ApiSchema;
  readonly types: ReadonlyMap<string, ApiType>;
  readonly recognized: RecognizedTypes;
  readonly rows: readonly ReadableType[];
};

type Test = (evidence: Evidence) => boolean;

function collectEvidence(schema: ApiSchema): Evidence {
  const recognized = recognizeTypes(schema);
  return { schema, types: indexTypes(schema), recognized, rows: [...recognized.rowTypes.values()] };
}

/** Tests the kind as well as the name, because authors could use the name before graph-node did. */
function has(kind: ApiType["kind"], name: string, member?: string): Test {
  return ({ types }) => {
    const type = types.get(name);
    if (type?.kind !== kind || member === undefined) return type?.kind === kind;
    const members = type.kind === "ENUM" ? type.values : "fields" in type ? type.fields : [];
    return members.some(({ name }) => name === member);
  };
}

const hasLogs: Test = (evidence) =>
  has("ENUM", "LogLevel")(evidence) && has("OBJECT", evidence.schema.queryType, "_logs")(evidence);

const hasCurrentBucket: Test = has("ENUM", "Aggregation_current", "include");

const hasTimestamp: Test = (evidence) =>
  has("SCALAR", "Timestamp")(evidence) &&
  // Older releases show scalars of the authors, which may have this name.
  (has("ENUM", "Aggregation_interval")(evidence) || hasParentHash(evidence));

const hasParentHash: Test = has("OBJECT", "_Block_", "parentHash");

const hasSubscriptions: Test = ({ schema }) => schema.subscriptionType !== null;

/** Tests the description of graph-node, which client libraries replace. */
const hasTrimmedDescriptions: Test = ({ types }) =>
  types.get("Int")?.description === "4 bytes signed integer";

/** Returns whether each stored reference of rows with an order has a nested value, as `asset__id`. */
function nestedOrders({ types, rows, recognized }: Evidence): boolean[] {
  return rows.flatMap(({ name: owner, fields }) => {
    const order = types.get(`${owner}_orderBy`);
    if (order?.kind !== "ENUM") return [];
    return fields
      .filter(({ type }) => !isList(type) && recognized.rowTypes.has(baseTypeName(type)))
      .map(({ name }) => `${name}__id`)
      .map((value) => !findNamed(fields, value) && findNamed(order.values, value) !== undefined);
  });
}

const hasNestedOrder: Test = (evidence) => nestedOrders(evidence).includes(true);

const hasBoolFilters: Test = ({ types, rows }) =>
  rows.some(({ name }) => {
    const filter = types.get(`${name}_filter`);
    if (filter?.kind !== "INPUT_OBJECT") return false;
    // An authored field `and` does not have the type of a list of filters.
    return ["and", "or"].some((key) =>
      filter.fields.some((field) => field.name === key && field.type === `[${name}_filter]`),
    );
  });

const hasNocaseOnLists: Test = ({ rows, recognized }) =>
  rows.some((row) =>
    row.fields.some(({ name, type }) => {
      const base = baseTypeName(type);
      if (!isList(type) || base === "String" || recognized.rowTypes.has(base)) return false;
      const nocase = `${name}_contains_nocase`;
      return recognized.hasFilter(row.name, nocase) && findNamed(row.fields, nocase) === undefined;
    }),
  );

const hasChildFilters: Test = ({ rows, recognized }) =>
  rows.some((row) =>
    row.fields.some(
      ({ name, type }) =>
        recognized.rowTypes.has(baseTypeName(type)) && recognized.hasFilter(row.name, `${name}_`),
    ),
  );

const hasOrderedAggregations: Test = ({ types, recognized }) =>
  [...recognized.aggregations].some((name) => types.get(`${name}_orderBy`)?.kind === "ENUM");

/** The oldest possible releases by evidence. The first match wins. */
const FLOORS: readonly (readonly [release: string, shows: Test])[] = [
  ["0.44", hasLogs],
  ["0.42", hasCurrentBucket],
  ["0.40.2", hasTrimmedDescriptions],
  ["0.38", (evidence) => !hasSubscriptions(evidence) && hasTimestamp(evidence)],
  ["0.35", hasTimestamp],
  ["0.32", has("SCALAR", "Int8")],
  ["0.31", hasNestedOrder],
  ["0.29", hasBoolFilters],
  ["0.28", has("OBJECT", "_Block_", "timestamp")],
  ["0.27", has("INPUT_OBJECT", "BlockChangedFilter")],
];

const SHOWN: readonly (readonly [origin: PlatformOrigin, shows: Test])[] = [
  [FEATURES.logs, hasLogs],
  [FEATURES.currentBucket, hasCurrentBucket],
  [FEATURES.subscriptions, hasSubscriptions],
  [FEATURES.aggregations, hasTimestamp],
  [FEATURES.orderedAggregations, hasOrderedAggregations],
  [FEATURES.parentHash, hasParentHash],
  [FEATURES.blockTimestamp, has("OBJECT", "_Block_", "timestamp")],
  [FEATURES.int8, has("SCALAR", "Int8")],
  [FEATURES.childSorting, hasNestedOrder],
  [FEATURES.boolFilters, hasBoolFilters],
  [FEATURES.childFilters, hasChildFilters],
  [FEATURES.nocaseOnLists, hasNocaseOnLists],
  [FEATURES.changeBlock, has("INPUT_OBJECT", "BlockChangedFilter")],
  [FEATURES.meta, has("OBJECT", "_Meta_")],
];

/** Finds the queries that a schema supports, in the syntax of the dialect. */
export function findSubgraphCapabilities(schema: ApiSchema): Capabilities {
  const filters = schema.types.flatMap((type) =>
    type.kind === "INPUT_OBJECT" && type.name.endsWith("_filter") ? type.fields : [],
  );
  const orders = schema.types.flatMap((type) =>
    type.kind === "ENUM" && type.name.endsWith("_orderBy") ? type.values : [],
  );
  const fields = schema.types.flatMap((type) =>
    type.kind === "OBJECT" && type.name !== schema.queryType ? type.fields : [],
  );
  const roots = fieldsOf(schema, schema.queryType);
  const takes = (argument: string) => roots.some(({ args }) => args.some(({ name }) => name === argument));
  const hasFilter = (key: string) => filters.some(({ name }) => name === key);
  const operators = (suffixes: readonly string[]) =>
    suffixes
      .filter((suffix) => filters.some(({ name }) => name.endsWith(suffix)))
      .map((suffix) => `…${suffix}`)
      .join(" ") || null;
  const some = (shows: boolean, words: string) => (shows ? words : null);
  const lists = filters.some(({ name, type }) => name.endsWith("_contains") && isList(type));
  const relations = filters.some(({ name, type }) => name.endsWith("_") && type.endsWith("_filter"));
  const nested = orders.some(({ name }) => name.indexOf("__", 1) > 0);
  const listFields = fields.some(({ args }) => args.some(({ name }) => name === "first"));
  return {
    "one by id": some(takes("id"), "(id:)"),
    "filter: equal": some(takes("where"), "bare, …_not"),
    "filter: order": operators(["_gt", "_gte", "_lt", "_lte"]),
    "filter: in a list": operators(["_in", "_not_in"]),
    "filter: null": some(takes("where"), "bare: null, …_not: null"),
    "filter: text": operators(["_contains", "_contains_nocase", "_starts_with", "_ends_with"]),
    "filter: lists": some(lists, "…_contains, …_not_contains"),
    "filter: relations": some(relations, "…_: { … }"),
    "filter: and": some(hasFilter("and"), "and"),
    "filter: or": some(hasFilter("or"), "or, beside no other filter"),
    "filter: not": null,
    "filter: changed since": some(hasFilter("_change_block"), "_change_block"),
    "order: one field": some(orders.length > 0, "orderBy, orderDirection"),
    "order: several fields": null,
    "order: field of a relation": some(nested, "orderBy: relation__field"),
    page: some(takes("first"), "first (100 unless given), skip"),
    "page: of a list field": some(listFields, "first (100 unless given), skip"),
    distinct: null,
    aggregates: null,
    "roll-ups by interval": some(takes("interval"), "(interval:)"),
    search: some(takes("text"), "(text:)"),
    "time travel": some(takes("block"), "(block:)"),
    "live updates": some(schema.subscriptionType !== null, "subscription"),
    "progress and health": some(
      roots.some(({ name }) => name === "_meta"),
      "_meta",
    ),
  };
}
