import { sortByName } from "../../base/compare-code-units.ts";
import { indexByName } from "../../base/find-named.ts";
import { isList } from "../../base/type-expression.ts";
import type { ApiField, ApiInputValue, ApiSchema, ApiType } from "../../schema/api-schema.ts";
import type {
  Definition,
  EntityField,
  EntityModel,
  IdleType,
  InputValue,
} from "../../schema/entity-model.ts";
import { objectType } from "../../schema/make-type.ts";
import type { DeriveOptions } from "../style.ts";
import type { Derivation } from "./derive/derivation.ts";
import { authoredDescription } from "./derive/descriptions.ts";
import { createEntityTypes } from "./derive/entity-types.ts";
import { countFilters, filterInput } from "./derive/filter.ts";
import { countOrders, orderByEnum } from "./derive/order-by.ts";
import { PLATFORM_DIRECTIVES, platformTypes } from "./derive/platform-types.ts";
import { collectionArguments, rootFields } from "./derive/root-fields.ts";
import { type GraphNodeFeatures, graphNodeFeatures } from "./release.ts";

/**
 * Derives the API schema graph-node makes of an entity model, in the order its introspection answers in: types by name
 * in byte order, members as they were defined (A.1 and A.10). Nothing is refused.
 *
 * Of two types with one name the first is shown, authors' before graph-node's own; fields are never deduplicated.
 */
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

/** Filters and orders are most of what is derived, and a small model can come to any number of orders. */
function requireRoom(derivation: Derivation, most = Number.POSITIVE_INFINITY): void {
  const { entities, interfaces, aggregations } = derivation.types;
  let room = most;
  for (const type of [...entities, ...interfaces, ...aggregations]) {
    room -= countOrders(type, derivation) + countFilters(type, derivation);
    if (room < 0) throw new RangeError(`More than ${most} members would be derived.`);
  }
}

function copyDefinition(definition: Definition, derivation: Derivation): ApiType[] {
  if (definition.kind === "fulltext") return [];
  const { features } = derivation;
  const { name } = definition;
  const description = authoredDescription(definition, features);
  switch (definition.kind) {
    case "entity":
    case "aggregation":
      return [
        {
          kind: "OBJECT",
          name,
          description,
          interfaces: definition.kind === "entity" ? definition.interfaces : [],
          fields: definition.fields.map((field) => copyField(field, derivation)),
        },
      ];
    case "interface": {
      // In document order, unlike everything else that introspection lists by name.
      const possibleTypes = derivation.types.implementersOf(name).map((entity) => entity.name);
      return [
        {
          kind: "INTERFACE",
          name,
          description,
          interfaces: [],
          ...(possibleTypes.length > 0 ? { possibleTypes } : {}),
          fields: definition.fields.map((field) => copyField(field, derivation)),
        },
      ];
    }
    case "enum":
      return [
        {
          kind: "ENUM",
          name,
          description,
          values: (definition.values ?? []).map((value) => ({
            name: value.name,
            description: authoredDescription(value, features),
            deprecationReason: null,
          })),
        },
      ];
    case "input":
      return [{ kind: "INPUT_OBJECT", name, description, fields: copyInputs(definition.fields, features) }];
  }
}

function copyIdleType(type: IdleType, features: GraphNodeFeatures): ApiType {
  const { name } = type;
  const description = authoredDescription(type, features);
  return type.kind === "scalar"
    ? { kind: "SCALAR", name, description }
    : { kind: "UNION", name, description, possibleTypes: type.members };
}

/** Lists of references get the arguments of a collection in place of their own. */
function copyField(field: EntityField, derivation: Derivation): ApiField {
  const target = isList(field.type) ? derivation.types.referenceOf(field.type) : undefined;
  return {
    name: field.name,
    description: authoredDescription(field, derivation.features),
    args: target ? collectionArguments(target, derivation) : copyInputs(field.args, derivation.features),
    type: field.type,
    deprecationReason: null,
  };
}

function copyInputs(inputs: readonly InputValue[], features: GraphNodeFeatures): ApiInputValue[] {
  return inputs.map((input) => ({
    name: input.name,
    description: authoredDescription(input, features),
    type: input.type,
    defaultValue: input.defaultValue,
  }));
}
