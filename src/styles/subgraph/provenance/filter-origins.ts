import { findNamed } from "../../../base/find-named.ts";
import { baseTypeName, isList } from "../../../base/type-expression.ts";
import { definitionOrigin, type ModelUnion } from "../../../schema/create-model-union.ts";
import {
  type EntityField,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../../../schema/entity-model.ts";
import { entityOrigin, fieldOrigin, type Origin, platformOrigin } from "../../../schema/origin.ts";
import { createEntityTypes, type Derivation } from "../derive/entity-types.ts";
import { filterOperators } from "../derive/filter.ts";
import { FEATURES } from "../platform-features.ts";
import { graphNodeFeatures } from "../release.ts";

/** Traces members of `Stream_filter` to the longest field that has such an operator (A.7). */
export function createFilterOrigins(
  models: readonly EntityModel[],
  union: ModelUnion,
): (owner: string, key: string | null) => Origin[] {
  const derivations = models.map(widestDerivation);

  function exists(owner: string, field: string, operator: string | null): boolean {
    return derivations.some((derivation) => {
      const type = derivation.types.referenceOf(owner);
      const own = type && fieldOf(type, field);
      if (type === undefined || own === undefined) return false;
      // `asset_` has nothing after its underscore, `asset` has none.
      if (operator === CHILD) return derivation.types.referenceOf(own.type) !== undefined;
      return filterOperators(own, type, derivation).includes(operator ?? "");
    });
  }

  function operatorFeature(fields: readonly EntityField[], operator: string | null): Origin {
    if (operator === null) return FEATURES.filters;
    if (operator === CHILD) return FEATURES.childFilters;
    return operator.endsWith("_nocase") && fields.some(({ type }) => isList(type))
      ? FEATURES.nocaseOnLists
      : platformOrigin(`filter operator ${operator}`);
  }

  /** A filter of a reference has the type of the target's id, which an interface has from who implements it. */
  function targetOrigins(fields: readonly EntityField[]): Origin[] {
    return fields.flatMap((field) => {
      const name = baseTypeName(field.type);
      const targets = union.definitionsOf(name);
      const origins = targets.map(definitionOrigin);
      if (targets.some(isRowDefinition)) origins.unshift(fieldOrigin(name, "id"));
      if (targets.some(({ kind }) => kind === "interface")) {
        const entities = derivations.flatMap(({ types }) => types.implementersOf(name));
        for (const entity of new Set(entities.map((one) => one.name))) {
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
    // An operator of a release that is not known here.
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

/** What stands after the underscore of `asset_`, the filter by what an asset is. */
const CHILD = "";

/** Of all releases and settings the one that derives the most filters. */
function widestDerivation(model: EntityModel): Derivation {
  return {
    features: { ...graphNodeFeatures("0.44"), nocaseForTextOnly: false },
    boolFilters: true,
    childSorting: true,
    types: createEntityTypes(model),
  };
}

function fieldOf(type: RowDefinition, name: string): EntityField | undefined {
  // The aggregates of an aggregation are not filtered by.
  const field = findNamed(type.fields, name);
  return type.kind === "aggregation" && field?.aggregate ? undefined : field;
}
