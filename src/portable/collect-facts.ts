import type { FragmentDefinitionNode, OperationDefinitionNode } from "graphql";
import { isRequired } from "../base/type-expression.ts";
import { CHAIN_FIELD } from "./chain-path.ts";
import { type CollectedField, type CollectedFields, collectFields } from "./collect-fields.ts";
import type { OperationFacts } from "./compiled-operation.ts";
import type { PlannedVariables } from "./plan-variables.ts";
import type { EntityFacts, Facts } from "./read-entities.ts";
import { readList, readPage } from "./read-list.ts";
import type { Scope } from "./scope.ts";

/** The facts of an operation that follow from what it selects. */
export type SelectedFacts = Pick<
  OperationFacts,
  "required" | "chains" | "one" | "isUnscoped" | "list" | "page"
>;

/** Collects what a program has to know of an answer; refuses selections of which nothing may be left. */
export function collectFacts(
  node: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  planned: PlannedVariables,
  scope: Scope,
): SelectedFacts {
  const { facts } = scope;
  const required: string[] = [];
  const chains: string[] = [];
  const one: string[] = [];
  let isUnscoped = false;
  const answer = collectFields(node.selectionSet, fragments);
  const roots = answer.fields;
  requireUnconditional(answer, "the query", node, scope);
  for (const root of roots) {
    const found = facts.root(root.node.name.value);
    const entity = found === undefined ? undefined : facts.entity(found.entity);
    if (found === undefined || entity === undefined || found.kind === "other") continue;
    const below = root.below();
    const { fields } = below;
    requireUnconditional(below, `\`${root.key}\``, root.node, scope);
    findRequired(fields, entity, [root.key], { required, scope });
    const isLookup = found.kind === "lookup";
    const chain = findChain(fields, entity, [root.key], { isLookup, facts });
    if (chain !== null) chains.push(chain.join("."));
    if (!isLookup) continue;
    one.push(root.key);
    if (chain !== null || facts.written.writer.lookup(entity.name)?.takesChain) continue;
    isUnscoped = true;
    scope.refuse("portable/unscoped-lookup", [root.key], root.node);
  }
  const [root, ...others] = roots;
  const only = others.length === 0 && root !== undefined && !root.isConditional ? root : null;
  return {
    ...{ required, chains, one, isUnscoped },
    list: only === null ? null : readList(only, facts),
    page: only === null ? null : readPage(only, planned, facts),
  };
}

function requireUnconditional(
  { mayBeEmpty }: CollectedFields,
  where: string,
  node: Pick<OperationDefinitionNode, "loc">,
  scope: Scope,
): void {
  if (mayBeEmpty) scope.refuse("portable/all-conditional", [where], node);
}

/** Finds the references that are never null in one style, and null in the other where the row is missing. */
function findRequired(
  fields: readonly CollectedField[],
  entity: EntityFacts,
  path: readonly string[],
  into: { readonly required: string[]; readonly scope: Scope },
): void {
  for (const field of fields) {
    const known = entity.fields.get(field.node.name.value);
    if (known === undefined || known.kind === "column") continue;
    const target = into.scope.facts.entity(known.target);
    if (target === undefined) continue;
    const own = [...path, field.key];
    if (known.kind === "reference" && isRequired(known.authoredType)) into.required.push(own.join("."));
    const inner = field.below();
    requireUnconditional(inner, `\`${own.join(".")}\``, field.node, into.scope);
    findRequired(inner.fields, target, own, into);
  }
}

/** The shortest path to where rows tell their chain; of a lookup over what is never missing. */
function findChain(
  fields: readonly CollectedField[],
  entity: EntityFacts,
  path: readonly string[],
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
    const found = findChain(field.below().fields, target, [...path, field.key], given);
    if (found !== null && (best === null || found.length < best.length)) best = found;
  }
  return best;
}
