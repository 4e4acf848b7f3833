import { isList } from "../../base/type-expression.ts";
import type { ApiEnum } from "../../schema/api-schema.ts";
import type { EntityField } from "../../schema/entity-model.ts";
import { defineEnum } from "./define.ts";
import type { Derivation } from "./derivation.ts";
import type { RowType } from "./entity-types.ts";

/**
 * The enum of what rows of a type can be ordered by: every field, lists and derived ones too, and right
 * after a single reference the plain fields of its target as `<field>__<child>`. Of an aggregation the
 * aggregates come last (A.6).
 */
export function orderByEnum(type: RowType, derivation: Derivation): ApiEnum {
  const fields =
    type.kind === "aggregation"
      ? [
          ...type.fields.filter((field) => !field.aggregate),
          ...type.fields.filter((field) => field.aggregate),
        ]
      : type.fields;
  return defineEnum(
    `${type.name}_orderBy`,
    null,
    fields
      .flatMap((field) => [field.name, ...childValues(field, derivation)])
      .map((name) => [name, null] as const),
  );
}

/** How many values that enum would have. */
export function countOrders(type: RowType, derivation: Derivation): number {
  return type.fields.reduce((count, field) => count + 1 + childrenOf(field, derivation).length, 0);
}

function childValues(field: EntityField, derivation: Derivation): string[] {
  return childrenOf(field, derivation).map((child) => `${field.name}__${child.name}`);
}

function childrenOf({ type }: EntityField, { types, childSorting }: Derivation): readonly EntityField[] {
  const target = childSorting && !isList(type) ? types.referenceOf(type) : undefined;
  return target === undefined ? [] : types.childFieldsOf(target);
}
