import { baseTypeName, isList, isRequired } from "../base/type-expression.ts";
import type { Facts } from "./read-entities.ts";

/** The field by which an entity tells its chain. */
export const CHAIN_FIELD = "chainId";

/**
 * Finds how rows of an entity lead to their chain without one being lost: the relations to go through, to an entity
 * that has the field. Null where there is no such way: required references lose no row, others only if the protocol's
 * definition vouches for it.
 */
export function findChainPath(entity: string, facts: Facts): readonly string[] | null {
  return hasChain(entity, facts) ? [] : (followDefinition(entity, facts) ?? findRequired(entity, facts));
}

function hasChain(entity: string, { written }: Facts): boolean {
  const field = written.field(entity, CHAIN_FIELD);
  return field !== undefined && !isList(field.type);
}

function followDefinition(entity: string, facts: Facts): readonly string[] | null {
  const { chainPath } = facts.definition;
  const path: string[] = [];
  const seen = new Set<string>();
  let current = entity;
  while (!hasChain(current, facts)) {
    if (seen.has(current)) return null;
    seen.add(current);
    const name = Object.hasOwn(chainPath, current) ? chainPath[current] : undefined;
    const step = name === undefined ? undefined : facts.written.field(current, name);
    if (step === undefined) {
      // Where the definition ends, required references may still lead on.
      const rest = path.length === 0 ? null : findRequired(current, facts);
      return rest === null ? null : [...path, ...rest];
    }
    path.push(step.name);
    current = baseTypeName(step.type);
  }
  return path;
}

/** The shortest way over required references. */
function findRequired(entity: string, facts: Facts): readonly string[] | null {
  const seen = new Set([entity]);
  let ways: readonly (readonly [entity: string, path: readonly string[]])[] = [[entity, []]];
  while (ways.length > 0) {
    const found = ways.find(([name]) => hasChain(name, facts));
    if (found !== undefined) return found[1];
    ways = ways.flatMap(([name, path]) =>
      requiredReferences(name, facts).flatMap(([field, target]) => {
        if (seen.has(target)) return [];
        seen.add(target);
        return [[target, [...path, field]] as const];
      }),
    );
  }
  return null;
}

function requiredReferences(
  entity: string,
  { written }: Facts,
): (readonly [field: string, target: string])[] {
  return written.authoredFields(entity).flatMap(({ name, type, derived }) => {
    const isReference = !derived && !isList(type) && written.field(baseTypeName(type), "id") !== undefined;
    return isReference && isRequired(type) ? [[name, baseTypeName(type)] as const] : [];
  });
}
