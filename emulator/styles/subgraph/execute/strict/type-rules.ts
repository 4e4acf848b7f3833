import { baseTypeName } from "../../../../../src/base/type-expression.ts";
import { typeExpression } from "../../../../../src/schema/parse-sdl.ts";
import type { StrictRule } from "./rule.ts";
import { isComposite, isInput } from "./type-relations.ts";

export const knownTypeNames: StrictRule = ({ index }, report) => {
  function check(name: string | undefined): void {
    if (name !== undefined && !name.startsWith("__") && index.type(name) === undefined) {
      report(`Unknown type "${name}".`);
    }
  }
  return {
    fragmentDefinition: ({ typeCondition }) => check(typeCondition.name.value),
    inlineFragment: ({ typeCondition }) => check(typeCondition?.name.value),
    variableDefinition: ({ type }) => check(baseTypeName(typeExpression(type))),
  };
};

export const fragmentsOnCompositeTypes: StrictRule = ({ index }, report) => {
  function check(subject: string, condition: string | undefined): void {
    const type = condition === undefined ? undefined : index.type(condition);
    if (type && !isComposite(type)) {
      report(`${subject} cannot condition on non composite type "${condition}".`);
    }
  }
  return {
    fragmentDefinition: ({ name, typeCondition }) =>
      check(`Fragment "${name.value}"`, typeCondition.name.value),
    inlineFragment: ({ typeCondition }) => check("Fragment", typeCondition?.name.value),
  };
};

export const variablesAreInputTypes: StrictRule = ({ index }, report) => ({
  variableDefinition: ({ variable, type }) => {
    const expression = typeExpression(type);
    const known = index.type(baseTypeName(expression));
    if (known && !isInput(known)) {
      report(`Variable "$${variable.name.value}" cannot be non-input type "${expression}".`);
    }
  },
});
