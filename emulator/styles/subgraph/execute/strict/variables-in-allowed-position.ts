import { Kind, type VariableDefinitionNode } from "graphql";
import { isList, isRequired } from "../../../../../src/base/type-expression.ts";
import { typeExpression } from "../../../../../src/schema/parse-sdl.ts";
import { collectScopes } from "./collect-scopes.ts";
import type { StrictRule } from "./rule.ts";
import { isSubtype } from "./type-relations.ts";

export const variablesInAllowedPosition: StrictRule = ({ index }, report) => {
  const scopes = collectScopes<{ readonly name: string; readonly wanted: string }>();
  const definitions = new Map<string | null, Map<string, VariableDefinitionNode>>();
  let operation: string | null = null;
  return {
    ...scopes.visitor,
    operation: (node) => {
      scopes.visitor.operation?.(node);
      operation = node.name?.value ?? null;
    },
    variableDefinition: (node) => {
      scopes.visitor.variableDefinition?.(node);
      const known = definitions.get(operation) ?? new Map();
      definitions.set(operation, known);
      // Of two with one name the first counts.
      if (!known.has(node.variable.name.value)) known.set(node.variable.name.value, node);
    },
    value: (node, { input }) => {
      if (node.kind === Kind.VARIABLE && input !== undefined) {
        scopes.use([{ name: node.name.value, wanted: input }]);
      }
    },
    leaveDocument: () => {
      for (const { name: owner, usesWithin } of scopes.operations()) {
        for (const { name, wanted } of usesWithin()) {
          const definition = definitions.get(owner)?.get(name);
          const type = definition && typeWithDefault(definition);
          if (type === undefined || isSubtype(type, wanted, index)) continue;
          report(`Variable "$${name}" of type "${type}" used in position expecting type "${wanted}".`);
        }
      }
    },
  };
};

/**
 * What a variable is taken for: with a default it cannot be missing. Of a list with a default the server takes one
 * item instead, so that such a variable fits nowhere a list is wanted.
 */
function typeWithDefault({ type, defaultValue }: VariableDefinitionNode): string {
  const expression = typeExpression(type);
  if (defaultValue === undefined || isRequired(expression)) return expression;
  if (isList(expression)) return `${expression.slice(1, -1)}!`;
  return defaultValue.kind === Kind.NULL ? expression : `${expression}!`;
}
