import type { ApiEnum } from "../../model/api-schema.ts";
import type { EntityField } from "../../model/entity-model.ts";
import { isList } from "../../utils/type-expression.ts";
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

function childValues(field: EntityField, { types, childSorting }: Derivation): string[] {
  if (!childSorting || isList(field.type)) return [];
  const target = types.referenceOf(field.type);
  if (target === undefined) return [];
  return target.fields
    .filter((child) => {
      if (isList(child.type)) return false;
      const reference = types.referenceOf(child.type);
      return reference === undefined || reference.kind === "aggregation";
    })
    .map((child) => `${field.name}__${child.name}`);
}
