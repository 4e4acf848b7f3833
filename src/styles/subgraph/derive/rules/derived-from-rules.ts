import { type FieldDefinitionNode, Kind, type ObjectTypeDefinitionNode } from "graphql";
import {
  type AuthoredTypes,
  argumentOf,
  baseTypeOf,
  directiveOf,
  fieldOf,
  lineOf,
} from "./authored-types.ts";
import type { EntityProblem } from "./entity-problem.ts";

/**
 * Checks that the target of every derived field of an entity refers back: to the entity, or to an interface
 * of it that has the derived field, too. A field may also be derived from the target's `id`
 * (A.2).
 */
export function checkDerivedFrom(types: AuthoredTypes): EntityProblem[] {
  return types.entities.flatMap((entity) =>
    (entity.fields ?? []).flatMap((field) => {
      const problem = findProblem(entity, field, types);
      if (problem === null) return [];
      return [
        {
          reason: `Field \`${field.name.value}\` in type \`${entity.name.value}\` has invalid @derivedFrom: ${problem}`,
          line: lineOf(field),
        },
      ];
    }),
  );
}

function findProblem(
  entity: ObjectTypeDefinitionNode,
  field: FieldDefinitionNode,
  { objects, interfaces }: AuthoredTypes,
): string | null {
  const directive = directiveOf(field, "derivedFrom");
  if (directive === undefined) return null;
  const value = argumentOf(directive, "field");
  if (value === undefined) return "the @derivedFrom directive must have a `field` argument";
  if (value.kind !== Kind.STRING) return "the @derivedFrom `field` argument must be a string";

  const targetName = baseTypeOf(field);
  const target = [...objects, ...interfaces].find((node) => node.name.value === targetName);
  if (target === undefined) return "type must be an existing entity or interface";
  const back = fieldOf(target, value.value);
  if (back === undefined) return `field \`${value.value}\` does not exist on type \`${targetName}\``;
  if (back.name.value === "id") return null;

  const parents = interfaces.filter(
    (parent) =>
      entity.interfaces?.some(({ name }) => name.value === parent.name.value) &&
      fieldOf(parent, field.name.value) !== undefined,
  );
  const wanted = [entity, ...parents].map((node) => node.name.value);
  if (wanted.includes(baseTypeOf(back))) return null;
  const signatures = wanted.flatMap((name) => [name, `${name}!`, `[${name}!]`, `[${name}!]!`]);
  return `field \`${value.value}\` on type \`${targetName}\` must have one of the following types: ${signatures.join(", ")}`;
}
