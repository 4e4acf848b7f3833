import { Kind, type OperationDefinitionNode } from "graphql";
import { isRequired } from "../../dialects/api-schema.ts";
import type { CollectedField } from "./collect-answer.ts";
import { CHAIN_FIELD } from "./compile-list.ts";
import { type EntityFacts, type Facts, servesOneChain } from "./read-entities.ts";

/** The fields that are selected of rows, and the path of response keys to the rows. */
export type SelectedRows = {
  readonly fields: readonly CollectedField[];
  readonly entity: EntityFacts;
  readonly path: readonly string[];
};

/** The shortest path to where rows tell their chain; of a lookup over what is never missing. */
export function findChain(
  { fields, entity, path }: SelectedRows,
  given: { readonly isLookup: boolean; readonly facts: Facts },
): readonly string[] | null {
  const sure = fields.filter(({ isConditional }) => !isConditional);
  const own = sure.find(({ node }) => node.name.value === CHAIN_FIELD && node.selectionSet === undefined);
  if (own !== undefined) return [...path, own.key];
  let best: readonly string[] | null = null;
  for (const field of sure) {
    const known = entity.fields.get(field.node.name.value);
    if (known === undefined || known.kind === "column") continue;
    if (given.isLookup && !(known.kind === "reference" && isRequired(known.authoredType))) continue;
    const target = given.facts.entity(known.target);
    if (target === undefined) continue;
    const below = { fields: field.below().fields, entity: target, path: [...path, field.key] };
    const found = findChain(below, given);
    if (found !== null && (best === null || found.length < best.length)) best = found;
  }
  return best;
}

/** Whether rows of a root field have a chain that can be selected beside their other fields. */
export function canAddChain(
  root: CollectedField,
  {
    node,
    entity,
    facts,
  }: {
    readonly node: OperationDefinitionNode;
    readonly entity: EntityFacts;
    readonly facts: Facts;
  },
): boolean {
  const field = entity.fields.get(CHAIN_FIELD);
  const places = node.selectionSet.selections.filter(
    (one) => one.kind !== Kind.FIELD || (one.alias ?? one.name).value === root.key,
  );
  return (
    field?.kind === "column" &&
    isRequired(field.authoredType) &&
    field.writtenType !== null &&
    places.length === 1 &&
    places[0]?.kind === Kind.FIELD &&
    !root.below().fields.some(({ key }) => key === CHAIN_KEY) &&
    !servesOneChain(facts)
  );
}

/** The key with which the client requests the chain of rows. */
const CHAIN_KEY = "lockflow";
