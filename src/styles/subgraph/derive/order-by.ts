import { isList } from "../../../base/type-expression.ts";
import type { ApiEnum } from "../../../schema/api-schema.ts";
import type { EntityField, RowDefinition } from "../../../schema/entity-model.ts";
import { enumType } from "../../../schema/make-type.ts";
import type { Derivation } from "./entity-types.ts";

/** What rows are ordered by: fields, then `<field>__<child>` of references; aggregates come last (A.6). */
export function orderByEnum({ name, kind, fields }: RowDefinition, derivation: Derivation): ApiEnum {
  const ordered =
    kind === "aggregation" ? fields.toSorted((a, b) => Number(a.aggregate) - Number(b.aggregate)) : fields;
  const values = ordered.flatMap((field) => [
    field.name,
    ...childrenOf(field, derivation).map((child) => `${field.name}__${child.name}`),
  ]);
  return enumType(`${name}_orderBy`, null, values);
}

/** How many values that enum would have. */
export function countOrders(type: RowDefinition, derivation: Derivation): number {
  return type.fields.reduce((count, field) => count + 1 + childrenOf(field, derivation).length, 0);
}

function childrenOf({ type }: EntityField, { types, childSorting }: Derivation): readonly EntityField[] {
  const target = childSorting && !isList(type) ? types.referenceOf(type) : undefined;
  return target === undefined ? [] : types.childFieldsOf(target);
}
