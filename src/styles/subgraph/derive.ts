import { sortByName } from "../../base/compare-code-units.ts";
import { indexByName } from "../../base/find-named.ts";
import { isList } from "../../base/type-expression.ts";
import type { ApiField, ApiInputValue, ApiSchema, ApiType } from "../../schema/api-schema.ts";
import type {
  Definition,
  EntityField,
  EntityModel,
  EnumValue,
  IdleType,
  InputValue,
} from "../../schema/entity-model.ts";
import { enumType, field, input, inputType, objectType, scalar } from "../../schema/make-type.ts";
import type { DeriveOptions } from "../style.ts";
import { authoredDescription } from "./derive/descriptions.ts";
import { createEntityTypes, type Derivation } from "./derive/entity-types.ts";
import { countFilters, filterInput } from "./derive/filter.ts";
import { countOrders, orderByEnum } from "./derive/order-by.ts";
import { PLATFORM_DIRECTIVES, platformTypes } from "./derive/platform-types.ts";
import { collectionArguments, rootFields } from "./derive/root-fields.ts";
import { type GraphNodeFeatures, graphNodeFeatures } from "./release.ts";

/** Derives what graph-node shows, in introspection order (A.1, A.10); of two types of a name the first is shown. */
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
      // In document order, unlike everything else that introspection lists by name.
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

/** Lists of references get the arguments of a collection in place of their own. */
function copyFields(fields: readonly EntityField[], derivation: Derivation): ApiField[] {
  const { features, types } = derivation;
  return fields.map((own) => {
    const target = isList(own.type) ? types.referenceOf(own.type) : undefined;
    const args = target ? collectionArguments(target, derivation) : copyInputs(own.args, features);
    return field(own.name, own.type, authoredDescription(own, features), args);
  });
}

function copyInputs(inputs: readonly InputValue[], features: GraphNodeFeatures): ApiInputValue[] {
  return inputs.map((own) => input(own.name, own.type, authoredDescription(own, features), own.defaultValue));
}
