import { compareCodeUnits } from "../../base/compare-code-units.ts";
import { findNamed, indexByName } from "../../base/find-named.ts";
import { baseTypeName, isList } from "../../base/type-expression.ts";
import type { ApiSchema, ApiType } from "../../schema/api-schema.ts";
import type { PlatformOrigin } from "../../schema/origin.ts";
import type { Recognized } from "../style.ts";
import { FEATURES } from "./platform-features.ts";
import { type ReadableType, type RecognizedTypes, recognizeTypes } from "./read/recognize-types.ts";
import { GRAPH_NODE_RELEASES } from "./release.ts";

/** Recognizes the oldest possible release (D.2); without the description of `Int`, 0.40.2 shows as 0.38. */
export function recognizeSubgraph(schema: ApiSchema): Recognized {
  const evidence = collectEvidence(schema);
  const release = FLOORS.find(([, shows]) => shows(evidence))?.[0];
  return {
    release: release === undefined ? null : `graph-node-${release}`,
    features: SHOWN.filter(([, shows]) => shows(evidence))
      .map(([origin]) => origin.feature)
      .sort(compareCodeUnits),
    options: {
      release: GRAPH_NODE_RELEASES.find((known) => known === release) ?? GRAPH_NODE_RELEASES[0],
      boolFilters: hasBoolFilters(evidence) || evidence.rows.length === 0,
      childSorting: hasNestedOrder(evidence) || !hasReferences(evidence),
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
  return { schema, types: indexByName(schema.types), recognized, rows: [...recognized.rowTypes.values()] };
}

/** By kind as well as by name: authors may have had an enum of that name before graph-node did. */
function has(kind: ApiType["kind"], name: string, member?: string): Test {
  return ({ types }) => {
    const type = types.get(name);
    if (type?.kind !== kind || member === undefined) return type?.kind === kind;
    const members = type.kind === "ENUM" ? type.values : "fields" in type ? type.fields : [];
    return members.some((one) => one.name === member);
  };
}

const hasLogs: Test = (evidence) =>
  has("ENUM", "LogLevel")(evidence) && has("OBJECT", evidence.schema.queryType, "_logs")(evidence);

const hasCurrentBucket: Test = has("ENUM", "Aggregation_current", "include");

const hasTimestamp: Test = (evidence) =>
  has("SCALAR", "Timestamp")(evidence) &&
  // Before there was one, authors' own scalars were shown.
  (has("ENUM", "Aggregation_interval")(evidence) || hasParentHash(evidence));

const hasParentHash: Test = has("OBJECT", "_Block_", "parentHash");

const hasSubscriptions: Test = ({ schema }) => schema.subscriptionType !== null;

/** Its own description, which libraries for clients put another one in place of. */
const hasTrimmedDescriptions: Test = ({ types }) =>
  types.get("Int")?.description === "4 bytes signed integer";

/** `asset__id`, which every reference has. */
const hasNestedOrder: Test = ({ types, rows, recognized }) =>
  rows.some((row) => {
    const order = types.get(`${row.name}_orderBy`);
    if (order?.kind !== "ENUM") return false;
    const fields = new Set(row.fields.map(({ name }) => name));
    const values = new Set(order.values.map(({ name }) => name));
    return row.fields.some(({ name, type }) => {
      const nested = `${name}__id`;
      return (
        !isList(type) &&
        values.has(nested) &&
        !fields.has(nested) &&
        recognized.rowTypes.has(baseTypeName(type))
      );
    });
  });

/** Whether there is something nested order would show at. */
const hasReferences: Test = ({ types, rows, recognized }) =>
  rows.some(
    ({ name, fields }) =>
      types.get(`${name}_orderBy`)?.kind === "ENUM" &&
      fields.some(({ type }) => !isList(type) && recognized.rowTypes.has(baseTypeName(type))),
  );

const hasBoolFilters: Test = ({ types, rows }) =>
  rows.some(({ name }) => {
    const filter = types.get(`${name}_filter`);
    if (filter?.kind !== "INPUT_OBJECT") return false;
    // An author's field `and` is no list of filters.
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

/** The first that shows gives the floor. */
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
