import { compareCodeUnits, indexByName } from "../../base/collections.ts";
import {
  type ApiField,
  type ApiInputValue,
  type ApiObject,
  type ApiSchema,
  baseTypeName,
  fieldsOf,
} from "../api-schema.ts";
import type { Capabilities, Recognized } from "../style.ts";
import { aggregatesOf, columnFeature, FEATURES, tableFeature } from "./features.ts";
import { isWriteTimestamp, takesChain } from "./read.ts";
import { DEFAULT_RELEASE, type Release } from "./release.ts";
import { CURSOR_ORDERING } from "./table-types.ts";
import { INTERNAL_TABLE_NAMES, knownColumns, RAW_BYTES } from "./tables.ts";

/** Recognizes the oldest possible release. Some releases (2.31, 3.2 to 3.7, 3.10) show only with some entities. */
export function recognizeMultichain(schema: ApiSchema): Recognized {
  const evidence = collectEvidence(schema);
  const floor = FLOORS.find(([, shows]) => shows(evidence))?.[0];
  const aggregates = aggregatedTables(evidence);
  const features = [
    ...evidence.internal.flatMap(({ name, fields }) => [
      tableFeature(name),
      ...fields
        .filter((field) => !knownColumns().has(`${name}.${field.name}`))
        .map((field) => columnFeature(name, field.name)),
    ]),
    ...SHOWN.filter(([, shows]) => shows(evidence)).map(([origin]) => origin),
    ...aggregates.map(aggregatesOf),
  ];
  return {
    release: floor === undefined ? null : `envio-${floor}`,
    features: [...new Set(features.map(({ feature }) => feature))].sort(compareCodeUnits),
    options: {
      release: floor ?? DEFAULT_RELEASE,
      aggregates,
      ...(hasPerChainEntities(evidence) ? { perChainEntities: true } : {}),
      ...(hasRawBytes(evidence) ? { bytesType: "uint8array" as const } : {}),
      ...(hasStreams(evidence) ? {} : { streams: false }),
    },
  };
}

type Evidence = {
  readonly schema: ApiSchema;
  readonly objects: ReadonlyMap<string, ApiObject>;
  readonly rootFields: ReadonlyMap<string, ApiField>;
  readonly internal: readonly ApiObject[];
};

type Test = (evidence: Evidence) => boolean;

function collectEvidence(schema: ApiSchema): Evidence {
  const objects = indexByName(schema.types.filter((type) => type.kind === "OBJECT"));
  const root = objects.get(schema.queryType);
  return {
    schema,
    objects,
    rootFields: new Map(root?.fields.map((field) => [field.name, field])),
    internal: [...INTERNAL_TABLE_NAMES].flatMap((name) => objects.get(name) ?? []),
  };
}

/** Returns a test for a column in the platform's tables, with a scalar if it is given. */
function hasInternalColumn(name: string | null, scalar: string | null): Test {
  return ({ internal }) =>
    internal.some(({ fields }) =>
      fields.some(
        (field) =>
          (name === null || field.name === name) && (scalar === null || baseTypeName(field.type) === scalar),
      ),
    );
}

const hasEcosystem: Test = hasInternalColumn("ecosystem", null);
const hasProgressBlockTime: Test = hasInternalColumn("progressBlockTime", null);
const hasFloatCounters: Test = hasInternalColumn(null, "Float");
const hasBigintEventIds: Test = hasInternalColumn(null, "bigint");
const hasBigintChainIds: Test = hasInternalColumn("chainId", "bigint");
const hasThirdVersion: Test = (evidence) => hasFloatCounters(evidence) || hasBigintEventIds(evidence);

/** Views have no primary key. */
const hasViews: Test = ({ objects, rootFields }) =>
  objects.has("_meta") || (objects.has("chain_metadata") && !rootFields.has("chain_metadata_by_pk"));

const hasWriteTimestamps: Test = ({ objects }) =>
  [...objects.values()].some(({ fields }) => fields.some(isWriteTimestamp));

/** Per-chain entities have a primary key of two columns. */
const hasPerChainEntities: Test = ({ rootFields }) =>
  [...rootFields.values()].some((root) => root.name === `${root.type}_by_pk` && takesChain(root));

/** An API without subscriptions may not show streams. Streams are newer than subscriptions. */
const hasStreams: Test = ({ schema }) => schema.types.some(({ name }) => name === CURSOR_ORDERING.name);

const hasBigIntIds: Test = ({ rootFields }) =>
  [...rootFields].some(
    ([name, { type, args }]) =>
      name === `${type}_by_pk` &&
      !INTERNAL_TABLE_NAMES.has(type) &&
      args.some((arg) => arg.name === "id" && baseTypeName(arg.type) === "numeric"),
  );

/** Only entities have such columns, and ids are never of this type. */
const hasRawBytes: Test = ({ schema }) => schema.types.some(({ name }) => name === RAW_BYTES);

/** Descriptions other than the platform's defaults for tables and relations. */
const hasAuthoredDescriptions: Test = ({ objects, rootFields }) =>
  [...objects.values()].some(
    ({ name, description, fields }) =>
      rootFields.get(name)?.type === `[${name}!]!` &&
      (isAuthored(description) || fields.some((field) => isAuthored(field.description))),
  );

function isAuthored(description: string | null): boolean {
  return description !== null && !BOILERPLATE.test(description);
}

/** The default descriptions. They may contain the schema of the database before the table. */
const BOILERPLATE = /^(columns and relationships of "|An (object|array|aggregate) relationship$)/;

/** The oldest possible releases by evidence. The first match wins. */
const FLOORS: readonly (readonly [release: Release, shows: Test])[] = [
  ["3.12", hasProgressBlockTime],
  ["3.10", (evidence) => hasThirdVersion(evidence) && hasRawBytes(evidence)],
  ["3.8", hasEcosystem],
  ["3.6", (evidence) => hasThirdVersion(evidence) && hasPerChainEntities(evidence)],
  ["3.5", (evidence) => hasThirdVersion(evidence) && hasBigIntIds(evidence)],
  ["3.1", (evidence) => hasThirdVersion(evidence) && hasAuthoredDescriptions(evidence)],
  ["3.0", hasThirdVersion],
  ["2.29", (evidence) => hasViews(evidence) && !hasWriteTimestamps(evidence)],
  ["2.28", hasViews],
  ["2.27", ({ internal }) => internal.length > 0],
];

const SHOWN = [
  [FEATURES.ecosystem, hasEcosystem],
  [FEATURES.progressBlockTime, hasProgressBlockTime],
  [FEATURES.floatCounters, hasFloatCounters],
  [FEATURES.bigintEventIds, hasBigintEventIds],
  [FEATURES.bigintChainIds, hasBigintChainIds],
  [FEATURES.writeTimestamps, hasWriteTimestamps],
  [FEATURES.perChainEntities, hasPerChainEntities],
  [FEATURES.descriptions, hasAuthoredDescriptions],
  [FEATURES.subscriptions, ({ schema }) => schema.subscriptionType !== null],
] as const satisfies readonly (readonly [unknown, Test])[];

/** Returns the tables with public aggregates. `Foo_aggregate` may also be a table. */
function aggregatedTables({ objects, rootFields }: Evidence): string[] {
  return [...objects.keys()]
    .filter((name) => rootFields.get(`${name}_aggregate`)?.type === `${name}_aggregate!`)
    .sort(compareCodeUnits);
}

/** Finds the queries that a schema supports, in the syntax of the dialect. */
export function findMultichainCapabilities(schema: ApiSchema): Capabilities {
  const inputs = schema.types.filter((type) => type.kind === "INPUT_OBJECT");
  const membersOf = (suffix: RegExp) =>
    inputs.filter(({ name }) => suffix.test(name)).flatMap(({ fields }) => fields);
  const operators = membersOf(/(?<!_array)_comparison_exp$/);
  const arrays = membersOf(/_array_comparison_exp$/);
  const filters = membersOf(/_bool_exp$/);
  const relations = filters.some(({ name, type }) => !name.startsWith("_") && type.endsWith("_bool_exp"));
  const nested = membersOf(/_order_by$/).some(({ type }) => type.endsWith("_order_by"));
  const roots = fieldsOf(schema, schema.queryType);
  const live = fieldsOf(schema, schema.subscriptionType);
  const takes = (argument: string) => roots.some(({ args }) => args.some(({ name }) => name === argument));
  const listed = (members: readonly ApiInputValue[], names: readonly string[]) =>
    names.filter((name) => members.some((member) => member.name === name)).join(" ") || null;
  const some = (shows: boolean, words: string) => (shows ? words : null);
  return {
    "one by id": some(hasSuffix(roots, "_by_pk"), "…_by_pk(id:)"),
    "filter: equal": listed(operators, ["_eq", "_neq"]),
    "filter: order": listed(operators, ["_gt", "_gte", "_lt", "_lte"]),
    "filter: in a list": listed(operators, ["_in", "_nin"]),
    "filter: null": listed(operators, ["_is_null"]),
    "filter: text": listed(operators, ["_like", "_ilike", "_similar", "_regex", "_iregex"]),
    "filter: lists": listed(arrays, ["_contains", "_contained_in"]),
    "filter: relations": some(relations, "nested; of a list any row"),
    "filter: and": listed(filters, ["_and"]),
    "filter: or": listed(filters, ["_or"]),
    "filter: not": listed(filters, ["_not"]),
    "filter: changed since": null,
    "order: one field": some(takes("order_by"), "order_by"),
    "order: several fields": some(takes("order_by"), "order_by: […], with the place of nulls"),
    "order: field of a relation": some(nested, "order_by: { relation: { … } }"),
    page: some(takes("limit"), "limit, offset"),
    "page: of a list field": some(takes("limit"), "limit, offset"),
    distinct: some(takes("distinct_on"), "distinct_on"),
    aggregates: some(hasSuffix(roots, "_aggregate"), "…_aggregate"),
    "roll-ups by interval": null,
    search: null,
    "time travel": null,
    "live updates": some(hasSuffix(live, "_stream"), "subscription, …_stream"),
    "progress and health":
      ["_meta", "chain_metadata"].filter((name) => roots.some((root) => root.name === name)).join(", ") ||
      null,
  };
}

function hasSuffix(fields: readonly ApiField[], suffix: string): boolean {
  return fields.some(({ name }) => name.endsWith(suffix));
}
