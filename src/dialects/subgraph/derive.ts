import { indexByName, sortByName } from "../../base/collections.ts";
import {
  type ApiEnum,
  type ApiField,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  isList,
} from "../api-schema.ts";
import type {
  Definition,
  EntityField,
  EntityModel,
  EnumValue,
  IdleType,
  InputValue,
  RowDefinition,
} from "../entity-model.ts";
import { enumType, field, input, inputType, objectType, scalar } from "../make-type.ts";
import type { DeriveOptions } from "../platform.ts";
import { countFilters, createEntityTypes, type Derivation, filterInput } from "./entity-types.ts";
import { rootFieldNames } from "./names.ts";
import { authoredDescription, PLATFORM_DIRECTIVES, platformTypes } from "./platform-types.ts";
import { type GraphNodeFeatures, graphNodeFeatures } from "./release.ts";

/** Derives the API schema of graph-node in introspection order. The first of two types with one name wins. */
export function deriveSubgraph(model: EntityModel, options: DeriveOptions = {}): ApiSchema {
  const features = graphNodeFeatures(options.release);
  const supported = features.aggregations
    ? model
    : { ...model, definitions: model.definitions.filter(({ kind }) => kind !== "aggregation") };
  const types = createEntityTypes(supported);
  const { boolFilters = true, childSorting = true } = options;
  const derivation: Derivation = { features, boolFilters, childSorting, types };
  requireRoom(derivation, options.most);
  const roots = rootFields(supported, derivation);

  const definitions: ApiType[] = [
    ...supported.definitions.flatMap((definition) => copyDefinition(definition, derivation)),
    ...(features.idleTypesDropped ? [] : (model.idle ?? []).map((type) => copyIdleType(type, features))),
    ...platformTypes(features),
    ...[...types.entities, ...types.interfaces, ...types.aggregations].flatMap((type) => [
      ...(type.kind !== "aggregation" || features.orderedAggregations ? [orderByEnum(type, derivation)] : []),
      filterInput(type, derivation),
    ]),
    objectType("Query", null, [...roots.rows, ...roots.searches, ...roots.platform]),
  ];
  if (!features.subscriptionsGone) {
    definitions.push(objectType("Subscription", null, [...roots.rows, ...roots.platform]));
  }

  return {
    queryType: "Query",
    mutationType: null,
    subscriptionType: features.subscriptionsGone ? null : "Subscription",
    types: sortByName([...indexByName(definitions).values()]),
    directives: [
      ...supported.directives.map((directive) => ({
        name: directive.name,
        description: authoredDescription(directive, features),
        locations: directive.locations,
        args: copyInputs(directive.args, features),
      })),
      ...PLATFORM_DIRECTIVES,
    ],
  };
}

/** Throws if the result would be too large. Filters and orders are most of it, and grow fast with the references of a model. */
function requireRoom(derivation: Derivation, most = Number.POSITIVE_INFINITY): void {
  const { entities, interfaces, aggregations } = derivation.types;
  let room = most;
  for (const type of [...entities, ...interfaces, ...aggregations]) {
    room -= countOrders(type, derivation) + countFilters(type, derivation);
    if (room < 0) throw new RangeError(`More than ${most} members would be derived.`);
  }
}

function copyDefinition(definition: Definition, derivation: Derivation): ApiType | [] {
  if (definition.kind === "fulltext") return [];
  const { features } = derivation;
  const { name } = definition;
  const description = authoredDescription(definition, features);
  switch (definition.kind) {
    case "entity":
    case "aggregation":
      return {
        ...objectType(name, description, copyFields(definition.fields, derivation)),
        interfaces: definition.kind === "entity" ? definition.interfaces : [],
      };
    case "interface": {
      // In document order. Introspection sorts everything else by name.
      const possibleTypes = derivation.types.implementersOf(name).map((entity) => entity.name);
      return {
        kind: "INTERFACE",
        name,
        description,
        interfaces: [],
        ...(possibleTypes.length > 0 ? { possibleTypes } : {}),
        fields: copyFields(definition.fields, derivation),
      };
    }
    case "enum": {
      const copyValue = (value: EnumValue) => ({
        name: value.name,
        description: authoredDescription(value, features),
      });
      return enumType(name, description, (definition.values ?? []).map(copyValue));
    }
    case "input":
      return inputType(name, description, copyInputs(definition.fields, features));
  }
}

function copyIdleType(type: IdleType, features: GraphNodeFeatures): ApiType {
  const { name } = type;
  const description = authoredDescription(type, features);
  return type.kind === "scalar"
    ? scalar(name, description)
    : { kind: "UNION", name, description, possibleTypes: type.members };
}

/** Derives a field. Lists of references get the arguments of a collection instead of their own. */
function copyFields(fields: readonly EntityField[], derivation: Derivation): ApiField[] {
  const { features, types } = derivation;
  return fields.map((authored) => {
    const target = isList(authored.type) ? types.referenceOf(authored.type) : undefined;
    const args = target ? collectionArguments(target, derivation) : copyInputs(authored.args, features);
    return field(authored.name, authored.type, authoredDescription(authored, features), args);
  });
}

function copyInputs(inputs: readonly InputValue[], features: GraphNodeFeatures): ApiInputValue[] {
  return inputs.map((authored) => ({ ...authored, description: authoredDescription(authored, features) }));
}

/** Derives the fields of `Query`, in the groups of their order. */
function rootFields(model: EntityModel, derivation: Derivation) {
  const { types, features } = derivation;
  const positions = features.internedOrder ? internNames(model) : new Map<string, number>();
  const ordered = (group: readonly RowDefinition[]) =>
    group.toSorted((a, b) => (positions.get(a.name) ?? 0) - (positions.get(b.name) ?? 0));
  const searches = model.definitions.filter((definition) => definition.kind === "fulltext");
  return {
    // Two per entity, then two per interface, then one per aggregation.
    rows: [...ordered(types.entities), ...ordered(types.interfaces), ...ordered(types.aggregations)].flatMap(
      (type) => rowFields(type, derivation),
    ),
    // Here `first` comes before `skip`. Results cannot be ordered, because a search ranks them.
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

/** Returns the position at which graph-node first interned each name: the order of root fields. */
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
    // Always `ID!`, for any type of the id.
    field(singular, name, null, [input("id", "ID!"), BLOCK, SUBGRAPH_ERROR]),
    field(plural, `[${name}!]!`, null, args),
  ];
}

/** Derives the arguments of lists. `skip` and `first` are nullable, although they have defaults. */
function collectionArguments({ name, kind }: RowDefinition, { features }: Derivation): ApiInputValue[] {
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

/** Derives the values of an order: fields, then `<field>__<child>` of references, then aggregates. */
function orderByEnum({ name, kind, fields }: RowDefinition, derivation: Derivation): ApiEnum {
  const ordered =
    kind === "aggregation" ? fields.toSorted((a, b) => Number(a.aggregate) - Number(b.aggregate)) : fields;
  const values = ordered.flatMap((field) => [
    field.name,
    ...childrenOf(field, derivation).map((child) => `${field.name}__${child.name}`),
  ]);
  return enumType(`${name}_orderBy`, null, values);
}

/** Counts the values of that enum. */
function countOrders(type: RowDefinition, derivation: Derivation): number {
  return type.fields.reduce((count, field) => count + 1 + childrenOf(field, derivation).length, 0);
}

function childrenOf({ type }: EntityField, { types, childSorting }: Derivation): readonly EntityField[] {
  const target = childSorting && !isList(type) ? types.referenceOf(type) : undefined;
  return target === undefined ? [] : types.childFieldsOf(target);
}
