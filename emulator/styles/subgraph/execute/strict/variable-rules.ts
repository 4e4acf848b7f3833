import { Kind, type ValueNode } from "graphql";
import { collectScopes } from "./collect-scopes.ts";
import type { StrictRule } from "./rule.ts";

export const noUnusedVariables: StrictRule = (_, report) => {
  const scopes = collectScopes();
  return {
    ...scopes.visitor,
    argument: ({ value }) => scopes.use(variablesIn(value)),
    leaveDocument: () => {
      for (const { name, variables, usesWithin } of scopes.operations()) {
        const used = new Set(usesWithin());
        for (const variable of variables) {
          if (used.has(variable)) continue;
          report(`Variable "$${variable}" is never used${name === null ? "" : ` in operation "${name}"`}.`);
        }
      }
    },
  };
};

export const noUndefinedVariables: StrictRule = (_, report) => {
  const scopes = collectScopes();
  return {
    ...scopes.visitor,
    argument: ({ value }) => scopes.use(variablesIn(value)),
    leaveDocument: () => {
      for (const { name, variables, usesWithin } of scopes.operations()) {
        for (const variable of new Set(usesWithin())) {
          if (variables.has(variable)) continue;
          report(`Variable "$${variable}" is not defined${name === null ? "" : ` by operation "${name}"`}.`);
        }
      }
    },
  };
};

export const uniqueVariableNames: StrictRule = (_, report) => {
  const names = new Set<string>();
  return {
    operation: () => names.clear(),
    variableDefinition: ({ variable }) => {
      const name = variable.name.value;
      if (names.has(name)) report(`There can only be one variable named "$${name}".`);
      names.add(name);
    },
  };
};

function variablesIn(value: ValueNode): readonly string[] {
  switch (value.kind) {
    case Kind.VARIABLE:
      return [value.name.value];
    case Kind.LIST:
      return value.values.flatMap(variablesIn);
    case Kind.OBJECT:
      return value.fields.flatMap((field) => variablesIn(field.value));
    default:
      return [];
  }
}
