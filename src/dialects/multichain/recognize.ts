import { compareCodeUnits, indexByName } from "../../base/collections.ts";
import { type ApiField, type ApiObject, type ApiSchema, baseTypeName, fieldsOf } from "../api-schema.ts";
import type { Capabilities, Recognized } from "../style.ts";
import { aggregatesOf, FEATURES, tableFeature } from "./features.ts";
import { isWriteTimestamp } from "./read.ts";
import { DEFAULT_RELEASE, type Release } from "./release.ts";
import { CURSOR_ORDERING } from "./table-types.ts";
import { CHAIN_COLUMN, INTERNAL_TABLE_NAMES, RAW_BYTES } from "./tables.ts";

/** Recognizes the oldest possible release; 2.31, 3.2 to 3.7 and 3.13 show by some entities only. */
export function recognizeMultichain(schema: ApiSchema): Recognized {
  const evidence = collectEvidence(schema);
  const floor = FLOORS.find(([, shows]) => shows(evidence))?.[0];
  const aggregates = aggregatedTables(evidence);
  const features = [
    ...evidence.internal.map(({ name }) => tableFeature(name)),
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

/** Whether a table of the platform's own has a column, of a scalar if one is named. */
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
const hasFloatCounters: Test = hasInternalColumn(null, "Float");
const hasBigintEventIds: Test = hasInternalColumn(null, "bigint");
const hasThirdVersion: Test = (evidence) => hasFloatCounters(evidence) || hasBigintEventIds(evidence);

/** A view has no key. */
const hasViews: Test = ({ objects, rootFields }) =>
  objects.has("_meta") || (objects.has("chain_metadata") && !rootFields.has("chain_metadata_by_pk"));

const hasWriteTimestamps: Test = ({ objects }) =>
  [...objects.values()].some(({ fields }) => fields.some(isWriteTimestamp));

/** Two columns make the key of what is kept per chain. */
const hasPerChainEntities: Test = ({ rootFields }) =>
  [...rootFields].some(([name, { type, args }]) => {
    const key = args.map((arg) => arg.name);
    return name === `${type}_by_pk` && key.includes("id") && key.includes(CHAIN_COLUMN.name);
  });

/** They go with subscriptions where an API shows only what can be reached, and are younger than those. */
const hasStreams: Test = ({ schema }) => schema.types.some(({ name }) => name === CURSOR_ORDERING.name);

const hasBigIntIds: Test = ({ rootFields }) =>
  [...rootFields].some(
    ([name, { type, args }]) =>
      name === `${type}_by_pk` &&
      !INTERNAL_TABLE_NAMES.has(type) &&
      args.some((arg) => arg.name === "id" && baseTypeName(arg.type) === "numeric"),
  );

/** Only authors have such columns, and no id is one. */
const hasRawBytes: Test = ({ schema }) => schema.types.some(({ name }) => name === RAW_BYTES);

/** Descriptions that are not what the platform says of every table and relation. */
const hasAuthoredDescriptions: Test = ({ objects, rootFields }) =>
  [...objects.values()].some(
    ({ name, description, fields }) =>
      rootFields.get(name)?.type === `[${name}!]!` &&
      (isAuthored(description) || fields.some((field) => isAuthored(field.description))),
  );

function isAuthored(description: string | null): boolean {
  return description !== null && !BOILERPLATE.test(description);
}

/** A table that is not in the database's default schema is called with the name of its schema. */
const BOILERPLATE = /^(columns and relationships of "|An (object|array|aggregate) relationship$)/;

/** The first that shows gives the floor. */
const FLOORS: readonly (readonly [release: Release, shows: Test])[] = [
  ["3.13", (evidence) => hasThirdVersion(evidence) && hasRawBytes(evidence)],
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
  [FEATURES.floatCounters, hasFloatCounters],
  [FEATURES.bigintEventIds, hasBigintEventIds],
  [FEATURES.writeTimestamps, hasWriteTimestamps],
  [FEATURES.perChainEntities, hasPerChainEntities],
  [FEATURES.descriptions, hasAuthoredDescriptions],
  [FEATURES.subscriptions, ({ schema }) => schema.subscriptionType !== null],
] as const satisfies readonly (readonly [unknown, Test])[];

/** The tables that have public aggregates; `Foo_aggregate` may be a table of its own. */
function aggregatedTables({ objects, rootFields }: Evidence): string[] {
  return [...objects.keys()]
    .filter((name) => rootFields.get(`${name}_aggregate`)?.type === `${name}_aggregate!`)
    .sort(compareCodeUnits);
}

/** Finds what a schema of the platform lets clients ask: what shows in it, in the words of its dialect. */
export function findMultichainCapabilities(schema: ApiSchema): Capabilities {
  const operators = new Set<string>();
  const arrays = new Set<string>();
  const expressions = new Set<string>();
  let relations = false;
  let nested = false;
  for (const type of schema.types) {
    if (type.kind !== "INPUT_OBJECT") continue;
    const into = type.name.endsWith("_array_comparison_exp")
      ? arrays
      : type.name.endsWith("_comparison_exp")
        ? operators
        : type.name.endsWith("_bool_exp")
          ? expressions
          : null;
    for (const field of type.fields) {
      into?.add(field.name);
      if (into === expressions && !field.name.startsWith("_")) relations ||= field.type.endsWith("_bool_exp");
      if (type.name.endsWith("_order_by")) nested ||= field.type.endsWith("_order_by");
    }
  }
  const roots = fieldsOf(schema, schema.queryType);
  const live = fieldsOf(schema, schema.subscriptionType);
  const takes = (argument: string) => roots.some(({ args }) => args.some(({ name }) => name === argument));
  const listed = (names: ReadonlySet<string>, wanted: readonly string[]) =>
    wanted.filter((name) => names.has(name)).join(" ") || null;
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
    "filter: and": listed(expressions, ["_and"]),
    "filter: or": listed(expressions, ["_or"]),
    "filter: not": listed(expressions, ["_not"]),
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
