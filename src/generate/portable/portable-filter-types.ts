import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from "graphql";
import { splitKey, takesOperator } from "../../../packages/client/src/variables/map-filter.ts";
import { type IdForms, isOrdered } from "../../dialects/id-forms.ts";
import { readOrderPath } from "../../operations/portable/compile-order.ts";
import type { EntityColumns } from "../../operations/portable/filter-columns.ts";
import type { Facts } from "../../operations/portable/read-entities.ts";
import { enumType } from "../input-types.ts";
import type { SchemaDocs } from "../schema-docs.ts";
import { NULL, type TypeMember, type TypeTree, textType, unionType } from "../type-tree.ts";

/** Everything that decides the types of filters and orders. */
export type FilterTypeSource = {
  readonly schema: GraphQLSchema;
  readonly docs: SchemaDocs;
  readonly columnsOf: (entity: string) => EntityColumns;
  readonly facts: Facts;
  /** Returns the type of a single value in a variable or a filter. */
  readonly valueType: (type: GraphQLNamedType) => string;
};

/** A filter of an entity: the name of its type in the schema, and of the type that is built. */
type FilterName = { readonly entity: string; readonly input: string; readonly self: string };

/**
 * Builds the type of a portable filter: conditions, or a list of filters. Conditions that only one style has, or that
 * the styles answer differently, are left out.
 *
 * @param childOf returns the name of a related entity's filter; null if related entities cannot be filtered.
 */
export function filterType(
  { entity, input, self }: FilterName,
  childOf: ((entity: string, input: string) => string) | null,
  { schema, docs, columnsOf, valueType }: FilterTypeSource,
): TypeTree {
  const { columns, related } = columnsOf(entity);
  const type = schema.getType(input);
  const fields = isInputObjectType(type) ? Object.values(type.getFields()) : [];
  const member = (key: string, text: string | TypeTree): TypeMember => ({
    key: `readonly ${key}?`,
    type: typeof text === "string" ? textType(text) : text,
    doc: docs.docOf(input, key),
  });
  const conditions = fields.flatMap((field): TypeMember[] => {
    const key = field.name;
    const named = getNamedType(field.type);
    const target = related.get(key.slice(0, -1));
    if (key.endsWith("_") && target !== undefined) {
      return childOf ? [member(key, childOf(target, named.name))] : [];
    }
    const split = columns.has(key) ? null : splitKey(key);
    const name = split?.[1] ?? key;
    const operator = split?.[2] ?? "";
    const column = columns.get(name);
    if (!column) return [];
    const { kind } = column;
    const parts: TypeTree[] = [];
    if (
      takesOperator(kind, operator) &&
      (column.forms === null || kind.startsWith("list ") || takesIds(column.forms, operator))
    ) {
      const value = valueType(named);
      const isOfMany = kind.startsWith("list ") || /in$/.test(operator);
      parts.push(textType(isOfMany ? (operator === "not_in" ? nonEmptyList(value) : listOf(value)) : value));
    }
    const isNull =
      (operator === "" || operator === "not") && column.isNullable && !kind.startsWith("orderOnly ");
    if (isNull) parts.push(NULL);
    return parts.length === 0 ? [] : [member(key, unionType(parts))];
  });
  const lists = fields.filter(({ name }) => name === "and" || name === "or").map(({ name }) => name);
  const never = (names: readonly string[]) => names.map((name) => member(name, "never"));
  return unionType([
    ...lists.map((name): TypeTree => {
      const condition = { ...member(name, listOf(self)), key: `readonly ${name}` };
      return { kind: "object", members: [condition, ...never(lists.filter((other) => other !== name))] };
    }),
    { kind: "object", members: [...conditions, ...never(lists)] },
  ]);
}

/** Whether ids that the styles write differently can be compared by an operator. */
function takesIds(forms: IdForms, operator: string): boolean {
  return /^(|not|in|not_in)$/.test(operator) || (isOrdered(forms) && /^[gl]te?$/.test(operator));
}

/** Builds the type of the orders of rows of an entity. */
export function orderType(
  {
    entity,
    input,
    isNested,
  }: { readonly entity: string; readonly input: string; readonly isNested: boolean },
  { schema, docs, facts }: FilterTypeSource,
): TypeTree {
  const type = schema.getType(input);
  const owner = facts.entity(entity);
  const values = (isEnumType(type) ? type.getValues() : []).filter(
    ({ name }) => owner && Array.isArray(readOrderPath(name, { entity: owner, isNested }, facts)),
  );
  return enumType(values.map(({ name }) => ({ name, description: docs.docOf(input, name)?.description })));
}

/** A list of values as TypeScript. */
export function listOf(value: string): string {
  return `readonly ${/[|&]/.test(value) ? `(${value})` : value}[]`;
}

/** A list of at least one value. */
export function nonEmptyList(value: string): string {
  return `readonly [${value}, ...${/[|&]/.test(value) ? `(${value})` : value}[]]`;
}
