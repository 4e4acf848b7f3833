import { print } from "graphql";
import { typeExpression } from "../../../../src/schema/parse-sdl.ts";
import { type AuthoredTypes, baseTypeOf, fieldOf, lineOf } from "./authored-types.ts";
import type { EntityProblem } from "./entity-problem.ts";

/** Checks that what implements an interface has every field of it with exactly the same type (A.2). */
export function checkImplementations({ objects, interfaces }: AuthoredTypes): EntityProblem[] {
  const problems: EntityProblem[] = [];
  for (const object of objects) {
    for (const { name } of object.interfaces ?? []) {
      const parent = interfaces.find((candidate) => candidate.name.value === name.value);
      if (parent === undefined) {
        problems.push({ reason: `Interface \`${name.value}\` not defined`, line: lineOf(object) });
        continue;
      }
      const missing = (parent.fields ?? []).filter((wanted) => {
        const field = fieldOf(object, wanted.name.value);
        return field === undefined || typeExpression(field.type) !== typeExpression(wanted.type);
      });
      if (missing.length === 0) continue;
      const fields = missing.map(({ description: _, ...field }) => print(field)).join(", ");
      problems.push({
        reason: `Entity type \`${object.name.value}\` does not satisfy interface \`${name.value}\` because it is missing the following fields: ${fields}`,
        line: lineOf(object),
      });
    }
  }
  return problems;
}

/** Checks that all implementers of an interface have one type of id, `ID` and `String` being the same (A.2). */
export function checkImplementersIds({ objects, interfaces }: AuthoredTypes): EntityProblem[] {
  const problems: EntityProblem[] = [];
  for (const parent of interfaces) {
    const idTypes = new Set<string>();
    for (const object of objects) {
      if (!object.interfaces?.some(({ name }) => name.value === parent.name.value)) continue;
      const id = fieldOf(object, "id");
      if (id !== undefined) idTypes.add(baseTypeOf(id) === "ID" ? "String" : baseTypeOf(id));
    }
    if (idTypes.size > 1) {
      problems.push({
        reason: `Implementors of interface \`${parent.name.value}\` use different id types \`${[...idTypes].join(", ")}\`. They must all use the same type`,
        line: lineOf(parent),
      });
    }
  }
  return problems;
}
