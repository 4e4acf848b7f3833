import { type FieldDefinitionNode, print } from "graphql";
import { compareCodeUnits } from "../../../../base/compare-code-units.ts";
import { typeExpression } from "../../../../schema/parse-sdl.ts";
import { type AuthoredTypes, baseTypeOf, fieldOf } from "./authored-types.ts";
import { type EntityProblem, problemAt } from "./entity-problem.ts";

/**
 * Checks that what implements an interface has every field of it with exactly the same type (A.2). The first that has
 * not is the only reason graph-node gives.
 */
export function checkImplementations({ objects, interfaces }: AuthoredTypes): EntityProblem[] {
  for (const object of objects) {
    for (const { name } of object.interfaces ?? []) {
      const parent = interfaces.find((candidate) => candidate.name.value === name.value);
      if (parent === undefined) return [problemAt(object, `Interface \`${name.value}\` not defined`)];
      const missing = (parent.fields ?? []).filter((wanted) => {
        const field = fieldOf(object, wanted.name.value);
        return field === undefined || typeExpression(field.type) !== typeExpression(wanted.type);
      });
      if (missing.length === 0) continue;
      const fields = missing.map((field) => print(withOwnQuotes(field))).join(", ");
      return [
        problemAt(
          object,
          `Entity type \`${object.name.value}\` does not satisfy interface \`${name.value}\` because it is missing the following fields: ${fields}`,
        ),
      ];
    }
  }
  return [];
}

/** A description of several lines is indented between quotes of three. */
function withOwnQuotes(field: FieldDefinitionNode): FieldDefinitionNode {
  const { description } = field;
  if (description === undefined) return field;
  const block = description.value.includes("\n");
  const value = block ? description.value.replace(/\n$/, "").replace(/^/gm, "  ") : description.value;
  return { ...field, description: { ...description, block, value } };
}

/** Checks that all implementers of an interface have one type of id, `ID` and `String` being the same (A.2). */
export function checkImplementersIds({ objects, interfaces }: AuthoredTypes): EntityProblem[] {
  for (const parent of [...interfaces].sort((a, b) => compareCodeUnits(a.name.value, b.name.value))) {
    const implementers = objects.filter((object) =>
      object.interfaces?.some(({ name }) => name.value === parent.name.value),
    );
    const ids = implementers.flatMap((object) => fieldOf(object, "id") ?? []).map(baseTypeOf);
    const types = new Set(ids.map((type) => (type === "ID" ? "String" : type)));
    if (types.size < 2) continue;
    return [
      problemAt(
        parent,
        `Implementors of interface \`${parent.name.value}\` use different id types \`${[...types].join(", ")}\`. They must all use the same type`,
      ),
    ];
  }
  return [];
}
