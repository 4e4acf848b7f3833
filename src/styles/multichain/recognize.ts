import { compareCodeUnits } from "../../base/compare-code-units.ts";
import { indexByName } from "../../base/find-named.ts";
import { baseTypeName } from "../../base/type-expression.ts";
import type { ApiField, ApiObject, ApiSchema } from "../../schema/api-schema.ts";
import type { Recognized } from "../style.ts";
import { INTERNAL_TABLE_NAMES } from "./derive/internal-tables.ts";
import { CURSOR_ORDERING } from "./derive/table-types.ts";
import { CHAIN_COLUMN } from "./derive/tables.ts";
import { aggregatesOf, FEATURES, tableFeature } from "./platform-features.ts";
import { isWriteTimestamp } from "./read.ts";
import { DEFAULT_RELEASE, type Release } from "./release.ts";

/** Recognizes the oldest possible release (A.6, A.7, G); 2.31 and 3.2 to 3.7 show by some entities only. */
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
