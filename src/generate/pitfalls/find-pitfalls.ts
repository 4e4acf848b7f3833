import { type ASTNode, type GraphQLInputType, type GraphQLSchema, typeFromAST } from "graphql";
import type { Finding } from "../../report/finding.ts";
import type { OperationSet } from "../operation-set.ts";
import { findFilterPitfalls } from "./find-filter-pitfalls.ts";
import { findListPitfalls } from "./find-list-pitfalls.ts";
import type { Dialect, Scope } from "./pitfall-scope.ts";
import { collectInputs, createDefinitionReader, type Input } from "./read-definition.ts";

/**
 * Finds where valid operations are refused, or answer otherwise than they seem to say. What stands in a fragment is found
 * once, there, however many operations use it.
 */
export function findPitfalls(
  { operations, fragments }: Pick<OperationSet, "operations" | "fragments">,
  schema: GraphQLSchema,
  { pitfalls, protocol }: Dialect,
): Finding[] {
  const read = createDefinitionReader(schema, fragments, pitfalls.size.name);
  const found = new Map<ASTNode, Finding>();
  const add = (pairs: readonly (readonly [ASTNode, Finding])[]) => {
    for (const [node, finding] of pairs) if (!found.has(node)) found.set(node, finding);
  };
  for (const operation of operations) {
    const definitions = operation.node.variableDefinitions ?? [];
    const variables = new Map(definitions.map((definition) => [definition.variable.name.value, definition]));
    const scopeOf = (owner: Scope["owner"]): Scope => ({ pitfalls, protocol, operation, owner, variables });
    const defaults: Input[] = [];
    for (const { type, defaultValue } of definitions) {
      if (defaultValue)
        collectInputs(defaultValue, typeFromAST(schema, type) as GraphQLInputType, "", defaults);
    }
    // What a value that is no object is compared with shows where the variable is used.
    const inObjects = defaults.filter(({ key }) => key !== "");
    add(inObjects.flatMap((input) => findFilterPitfalls(input, scopeOf(operation))));
    for (const owner of [
      operation,
      ...operation.fragments.flatMap(({ name }) => fragments.get(name.value) ?? []),
    ]) {
      const scope = scopeOf(owner);
      const { lists, inputs } = read(owner.node);
      add(lists.flatMap((list) => findListPitfalls(list, scope)));
      add(inputs.flatMap((input) => findFilterPitfalls(input, scope)));
    }
  }
  return [...found.values()];
}
