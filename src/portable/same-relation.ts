import { baseTypeName, isList } from "../base/type-expression.ts";
import type { Placed } from "../schema/make-node.ts";
import type { FieldFacts } from "./read-entities.ts";
import type { Scope } from "./scope.ts";

/** A field that leads to rows of an entity. */
export type RelationFacts = Exclude<FieldFacts, { kind: "column" }>;

/** Whether a relation leads to the same rows in both styles: to one that is stored, or to all that refer to the row. */
export function isSameRelation(field: RelationFacts): boolean {
  const { writtenType, target } = field;
  if (writtenType === null || baseTypeName(writtenType) !== target) return false;
  if (field.kind === "reference") return field.isStored && !isList(writtenType);
  return !field.isStored && isList(writtenType) && field.through === null;
}

/** Refuses a relation that is not there, or does not lead to the same rows. */
export function requireSameRelation(
  field: RelationFacts,
  coordinate: string,
  node: Placed,
  scope: Scope,
): boolean {
  if (isSameRelation(field)) return true;
  const { authoredType, writtenType } = field;
  if (writtenType === null) {
    scope.refuse("portable/not-in-multichain", [coordinate, scope.facts.written.style], node);
    return false;
  }
  const through = field.kind === "list" ? field.through : null;
  const types =
    through === null
      ? ([authoredType, writtenType] as const)
      : ([
          `${authoredType} through ${through.authored}`,
          `${writtenType} through ${through.written}`,
        ] as const);
  scope.refuse("portable/type-differs", [coordinate, ...types], node);
  return false;
}
