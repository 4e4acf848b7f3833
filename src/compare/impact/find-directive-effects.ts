import { type DocumentNode, type OperationDefinitionNode, visit } from "graphql";
import type { Effect } from "./effect.ts";
import { findInputEffects } from "./find-input-effects.ts";
import type { IndexedSchema } from "./indexed-schema.ts";

/** Finds what a change does to the directives an operation uses. Those that are gone, validation tells. */
export function findDirectiveEffects(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  before: IndexedSchema,
  after: IndexedSchema,
): Effect[] {
  const variables = operation.variableDefinitions ?? [];
  const effects: Effect[] = [];
  visit(document, {
    Directive(node) {
      const name = node.name.value;
      const was = before.directive(name);
      const is = after.directive(name);
      if (!was || !is) return;
      const path = `@${name}`;
      effects.push(...findInputEffects(node, path, was.args, is.args, { before, after, variables, path }));
    },
  });
  return effects;
}
