import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { findNamed } from "../base/collections.ts";
import { type FieldName, isTime } from "../dialects/protocol.ts";
import type { FilterNames } from "../dialects/style.ts";
import type { Operation } from "../operations/operation-set.ts";

export type Place = {
  /** Whether a field with times is compared with it. */
  readonly isTime: boolean;
  /** Returns the place of a member of an object. */
  readonly of: (type: string, key: string) => Place;
};

/**
 * Finds the place of each variable. A variable with several places is a time if all are.
 *
 * @param times the fields that hold times.
 */
export function findPlaces(
  { node, fragments, schema }: Pick<Operation, "node" | "fragments"> & { readonly schema: GraphQLSchema },
  { filters, times }: { readonly filters: FilterNames; readonly times: readonly FieldName[] },
): (variable: string) => Place {
  const place = (isOfTime: boolean): Place => ({
    isTime: isOfTime,
    of: (type, key) => {
      const entity = filters.entityOf(type);
      // Operators of a column are in an object of their own.
      if (entity === null) return place(isOfTime);
      return place(filters.fieldsOf(key).some((field) => isTime(times, entity, field)));
    },
  });
  const byVariable = new Map<string, Place[]>();
  const collect = (value: ValueNode, type: GraphQLInputType, at: Place) => {
    if (value.kind === Kind.VARIABLE) {
      byVariable.set(value.name.value, [...(byVariable.get(value.name.value) ?? []), at]);
    } else if (value.kind === Kind.LIST) {
      for (const item of value.values) collect(item, type, at);
    } else if (value.kind === Kind.OBJECT) {
      const named = getNamedType(type);
      if (!isInputObjectType(named)) return;
      for (const { name, value: inner } of value.fields) {
        const member = findNamed(Object.values(named.getFields()), name.value);
        if (member) collect(inner, member.type, at.of(named.name, name.value));
      }
    }
  };
  const info = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(info, {
    Argument: ({ value }) => {
      const type = info.getArgument()?.type;
      if (type) collect(value, type, place(false));
      return false;
    },
  });
  for (const definition of [node, ...fragments]) visit(definition, visitor);
  return (variable) => {
    const places = byVariable.get(variable) ?? [];
    return place(places.length > 0 && places.every(({ isTime }) => isTime));
  };
}
