import { cached, findNamed, once } from "../../base/collections.ts";
import { baseTypeName, isList, type RootNames } from "../api-schema.ts";
import {
  createModelUnion,
  definitionOrigin,
  type EntityField,
  type EntityModel,
  isRowDefinition,
  type ModelUnion,
} from "../entity-model.ts";
import { parseCoordinate } from "../locate.ts";
import { distinctOrigins, entityOrigin, fieldOrigin, type Origin, platformOrigin } from "../origin.ts";
import type { OriginLookup } from "../style.ts";
import { createEntityTypes, type Derivation, filterOperators } from "./entity-types.ts";
import { argumentFeature, FEATURES, TYPE_FEATURES } from "./features.ts";
import { rootFieldNames } from "./names.ts";
import { PLATFORM_DIRECTIVE_NAMES } from "./platform-types.ts";
import { graphNodeFeatures } from "./release.ts";

/** Traces coordinates by their names, for all models, releases and settings. */
export function traceSubgraph(models: readonly EntityModel[], roots: RootNames): OriginLookup {
  const union = createModelUnion(models);
  const filterOrigins = createFilterOrigins(models, union);
  const directives = new Set(models.flatMap((model) => model.directives.map(({ name }) => name)));
  const rootFields = once(() => indexRoots(models));

  function directiveOrigins(name: string): Origin[] {
    return [
      ...(directives.has(name) ? [{ kind: "directive", name } as const] : []),
      ...(PLATFORM_DIRECTIVE_NAMES.has(name) ? [FEATURES.directives] : []),
    ];
  }

  function rootOrigins(type: string, field: string | null, argument: string | null): Origin[] {
    const subscriptions = type === roots.subscriptionType ? [FEATURES.subscriptions] : [];
    if (field === null) return type === roots.subscriptionType ? subscriptions : [FEATURES.rootFields];
    if (field === "_meta") return [FEATURES.meta, ...subscriptions];
    if (field === "_logs") return [FEATURES.logs, ...subscriptions];
    const root = rootFields().get(field);
    if (root === undefined) return subscriptions;
    const more = root.aggregation ? [...subscriptions, FEATURES.aggregations] : subscriptions;
    if (argument === null) return [...root.origins, FEATURES.rootFields, ...more];
    const feature = argument === "id" ? FEATURES.rootFields : argumentFeature(argument, root.aggregation);
    return [...withFeature(root.origins, feature), ...more];
  }

  function authoredOrigins(type: string, member: string | null, argument: string | null): Origin[] {
    return union.definitionsOf(type).flatMap((definition) => {
      const origin = definitionOrigin(definition);
      const whole = definition.kind === "aggregation" ? [origin, FEATURES.aggregations] : [origin];
      if (member === null) return whole;
      if (definition.kind === "enum") return [{ kind: "enum-value", name: type, value: member }, origin];
      if (definition.kind === "input") return [fieldOrigin(type, member), origin];
      const fields = union.fieldsOf(type, member);
      if (fields.length === 0) return whole;
      const origins = [fieldOrigin(type, member), ...whole];
      return argument === null ? origins : [...argumentOrigins(fields, argument, origins, union)];
    });
  }

  return (coordinate) => {
    const { type, member, argument } = parseCoordinate(coordinate);
    if (type.startsWith("@")) return directiveOrigins(type.slice(1));
    if (type === roots.queryType || type === roots.subscriptionType) {
      return rootOrigins(type, member, argument);
    }
    const origins = authoredOrigins(type, member, argument);
    if (type.endsWith(FILTER)) origins.push(...filterOrigins(type.slice(0, -FILTER.length), member));
    if (type.endsWith(ORDER)) origins.push(...orderOrigins(type.slice(0, -ORDER.length), member, union));
    origins.push(...platformTypeOrigins(type, member));
    return distinctOrigins(origins);
  };
}

const FILTER = "_filter";
const ORDER = "_orderBy";

type Root = { readonly origins: Origin[]; aggregation: boolean };

/** Indexes the root fields of all models. Two types may derive the same name. */
function indexRoots(models: readonly EntityModel[]): ReadonlyMap<string, Root> {
  const roots = new Map<string, Root>();
  const add = (name: string, origins: readonly Origin[], aggregation: boolean) => {
    const root = cached(roots, name, (): Root => ({ origins: [], aggregation: false }));
    for (const origin of origins) root.origins.push(origin);
    root.aggregation ||= aggregation;
  };
  const named = new Set<string>();
  for (const definition of models.flatMap((model) => model.definitions)) {
    const { kind, name } = definition;
    if (named.has(`${kind} ${name}`)) continue;
    named.add(`${kind} ${name}`);
    if (kind === "fulltext") {
      add(name, [{ kind: "search", name }, entityOrigin(definition.entity)], false);
    } else if (kind !== "enum" && kind !== "input") {
      // Before 0.35, both fields had the name of the singular.
      const { singular, plural } = rootFieldNames(name, { collectionSuffix: true });
      add(singular, [entityOrigin(name)], kind === "aggregation");
      if (plural !== singular) add(plural, [entityOrigin(name)], kind === "aggregation");
    }
  }
  return roots;
}

/** Traces an argument: on a list of references it is graph-node's, elsewhere the authors'. */
function argumentOrigins(
  fields: readonly { readonly type: string }[],
  argument: string,
  origins: readonly Origin[],
  union: ModelUnion,
): readonly Origin[] {
  const targets = fields
    .filter(({ type }) => isList(type))
    .flatMap(({ type }) => union.definitionsOf(baseTypeName(type)));
  if (targets.length === 0) return origins;
  const ofAggregation = targets.some(({ kind }) => kind === "aggregation");
  return [
    ...withFeature([...origins, ...targets.map(definitionOrigin)], argumentFeature(argument, ofAggregation)),
    ...(ofAggregation ? [FEATURES.aggregations] : []),
  ];
}

/** Adds the origin of a feature, before those of the types that use it if the feature can be missing. */
function withFeature(origins: readonly Origin[], feature: Origin): Origin[] {
  return feature === FEATURES.listArguments || feature === FEATURES.rootFields
    ? [...origins, feature]
    : [feature, ...origins];
}

/** Traces `Stream_orderBy.asset__symbol` to the field of the asset, and to the field that refers to the asset. */
function orderOrigins(owner: string, value: string | null, union: ModelUnion): Origin[] {
  const owners = union.definitionsOf(owner).filter(isRowDefinition);
  if (owners.length === 0) return [];
  const more = owners.some(({ kind }) => kind === "aggregation")
    ? [FEATURES.orderedAggregations, FEATURES.aggregations]
    : [];
  const whole = [...owners.map(definitionOrigin), FEATURES.order, ...more];
  if (value === null) return whole;
  const origins: Origin[] = [];
  if (union.fieldsOf(owner, value).length > 0) origins.push(fieldOrigin(owner, value));
  for (let at = value.indexOf("__", 1); at >= 0; at = value.indexOf("__", at + 1)) {
    const reference = value.slice(0, at);
    const child = value.slice(at + 2);
    for (const { type } of union.fieldsOf(owner, reference)) {
      const target = baseTypeName(type);
      const children = union.fieldsOf(target, child);
      if (children.length === 0) continue;
      origins.push(fieldOrigin(target, child), fieldOrigin(owner, reference));
      // A child may be a reference in one model, so its type is an origin too.
      for (const name of [target, ...children.map((each) => baseTypeName(each.type))]) {
        origins.push(...union.definitionsOf(name).map(definitionOrigin));
      }
      origins.push(FEATURES.childSorting);
    }
  }
  return [...origins, ...whole];
}

function platformTypeOrigins(type: string, member: string | null): Origin[] {
  if (type === "query") return [FEATURES.rootFields];
  if (type === "subscription") return [FEATURES.subscriptions];
  const feature = TYPE_FEATURES.get(type);
  if (feature === undefined) return [];
  if (type === "_Block_" && member === "timestamp") return [FEATURES.blockTimestamp, feature];
  if (type === "_Block_" && member === "parentHash") return [FEATURES.parentHash, feature];
  return [feature];
}

/** Traces members of `Stream_filter` to the longest field that has such an operator. */
function createFilterOrigins(
  models: readonly EntityModel[],
  union: ModelUnion,
): (owner: string, key: string | null) => Origin[] {
  const derivations = models.map(widestDerivation);

  function exists(owner: string, name: string, operator: string | null): boolean {
    return derivations.some((derivation) => {
      const type = derivation.types.referenceOf(owner);
      const field = type && findNamed(type.fields, name);
      // Aggregates have no filters.
      if (!type || !field || (type.kind === "aggregation" && field.aggregate)) return false;
      // `asset_` has nothing after its underscore, and `asset` has no underscore.
      if (operator === CHILD) return derivation.types.referenceOf(field.type) !== undefined;
      return filterOperators(field, type, derivation).includes(operator ?? "");
    });
  }

  function operatorFeature(fields: readonly EntityField[], operator: string | null): Origin {
    if (operator === null) return FEATURES.filters;
    if (operator === CHILD) return FEATURES.childFilters;
    return operator.endsWith("_nocase") && fields.some(({ type }) => isList(type))
      ? FEATURES.nocaseOnLists
      : platformOrigin(`filter operator ${operator}`);
  }

  /** A filter of a reference has the type of the target's id. An interface has the id of its implementers. */
  function targetOrigins(fields: readonly EntityField[]): Origin[] {
    return fields.flatMap((field) => {
      const name = baseTypeName(field.type);
      const targets = union.definitionsOf(name);
      const origins = targets.map(definitionOrigin);
      if (targets.some(isRowDefinition)) origins.unshift(fieldOrigin(name, "id"));
      if (targets.some(({ kind }) => kind === "interface")) {
        const entities = derivations.flatMap(({ types }) => types.implementersOf(name));
        for (const entity of new Set(entities.map(({ name }) => name))) {
          origins.push(fieldOrigin(entity, "id"), entityOrigin(entity));
        }
      }
      if (targets.some(({ kind }) => kind === "aggregation")) origins.push(FEATURES.aggregations);
      return origins;
    });
  }

  function keyOrigins(owner: string, key: string): Origin[] {
    const origins: Origin[] = [];
    let unknown: { readonly field: string; readonly operator: string } | undefined;
    for (let at = key.length; at > 0; at = key.lastIndexOf("_", at - 1)) {
      const field = key.slice(0, at);
      const operator = at === key.length ? null : key.slice(at + 1);
      const fields = union.fieldsOf(owner, field);
      if (fields.length === 0) continue;
      if (exists(owner, field, operator)) {
        origins.push(fieldOrigin(owner, field), ...targetOrigins(fields), operatorFeature(fields, operator));
      } else if (operator !== null) {
        unknown ??= { field, operator };
      }
    }
    if (key === "and" || key === "or") origins.push(FEATURES.boolFilters);
    if (key === "_change_block") origins.push(FEATURES.changeBlock);
    if (origins.length > 0 || unknown === undefined) return origins;
    // An operator of an unknown release.
    return [platformOrigin(`filter operator ${unknown.operator}`), fieldOrigin(owner, unknown.field)];
  }

  return (owner, key) => {
    const owners = union.definitionsOf(owner).filter(isRowDefinition);
    if (owners.length === 0) return [];
    return [
      ...(key === null ? [] : keyOrigins(owner, key)),
      ...owners.map(definitionOrigin),
      FEATURES.filters,
      ...(owners.some(({ kind }) => kind === "aggregation") ? [FEATURES.aggregations] : []),
    ];
  };
}

/** The empty operator of `asset_`, the filter by fields of the asset. */
const CHILD = "";

/** The release and settings with the most filters. */
function widestDerivation(model: EntityModel): Derivation {
  return {
    features: { ...graphNodeFeatures("0.44"), nocaseForTextOnly: false },
    boolFilters: true,
    childSorting: true,
    types: createEntityTypes(model),
  };
}
