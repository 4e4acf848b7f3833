import { Kind, type OperationDefinitionNode, type TypeNode, type VariableDefinitionNode } from "graphql";
import { type Effect, effectAt, MOST_EFFECTS } from "./effect.ts";
import { findInputTypeChanges } from "./find-input-type-changes.ts";
import type { IndexedSchema } from "./indexed-schema.ts";

/**
 * Finds what callers may send through a variable that is refused now, and what of it has another type or meaning, at
 * any depth of its type. Filters refer to each other, so one removed field puts most operations at risk: nobody is
 * known to send it, and a run fails by what an operation sends for certain.
 */
export function findVariableEffects(
  operation: OperationDefinitionNode,
  before: IndexedSchema,
  after: IndexedSchema,
): Effect[] {
  return (operation.variableDefinitions ?? []).flatMap((variable) => findEffectsOf(variable, before, after));
}

function findEffectsOf(
  variable: VariableDefinitionNode,
  before: IndexedSchema,
  after: IndexedSchema,
): Effect[] {
  const name = `$${variable.variable.name.value}`;
  const changes = findInputTypeChanges(namedTypeOf(variable.type), before, after);
  const [risks, others] = [true, false].map((isRisk) =>
    changes.filter(({ facts }) => (facts.impact === "at-risk") === isRisk).slice(0, MOST_EFFECTS),
  );
  return [...(risks ?? []), ...(others ?? [])].map(({ path, facts, avoid }) => {
    const at = [name, ...shorten(path)].join(".");
    return effectAt(variable, {
      ...facts,
      path: at,
      message: `${at}: ${facts.message}`,
      fix:
        avoid === null
          ? facts.fix
          : `see that no caller ${avoid} through ${at}, and run \`lockflow generate\`.`,
    });
  });
}

/** Filters lead to each other for as long as there are entities; a way is told by where it begins and ends. */
function shorten(path: readonly string[]): readonly string[] {
  return path.length <= LONGEST_PATH ? path : [...path.slice(0, 2), "…", ...path.slice(-2)];
}

const LONGEST_PATH = 5;

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
